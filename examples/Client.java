import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A player for any server that speaks Broadside's line protocol, using only Java's standard
 * library.
 *
 * <pre>java Client.java HOST:PORT [GAMES [RULES [OPPONENT]]]</pre>
 *
 * plays GAMES games (default 1). Without RULES it uses only the base protocol, which every server
 * supports, and reconnects for each game. With RULES (classic or hasbro) it plays a series on one
 * connection, against any opponent or against OPPONENT, such as "bot hard". BROADSIDE_TOKEN can
 * have the token of a registered program.
 *
 * <p>Without arguments it plays on the server at BROADSIDE_RELAY until that server is gone, so that
 * it can play in the arena:
 *
 * <pre>broadside arena duel me hard --external me="java examples/Client.java"</pre>
 */
public class Client {
    static final int SIZE = 10;
    static final int[] LENGTHS = {5, 4, 3, 3, 2};
    static final int WATER = 1, HIT = 2, SUNK = 3, LAST_SUNK = 4; // the results of a shot
    static final int ATTACK = 1, RESULT = 2, DEFEND_FIRST = 3, ATTACK_FIRST = 4, START = 5; // the opcodes

    static final Random random = new Random();

    record Cell(int x, int y) {
        boolean onBoard() {
            return x >= 0 && y >= 0 && x < SIZE && y < SIZE;
        }

        Cell step(int dx, int dy) {
            return new Cell(x + dx, y + dy);
        }

        List<Cell> neighbours() {
            List<Cell> all = new ArrayList<>(List.of(step(-1, 0), step(1, 0), step(0, -1), step(0, 1)));
            all.removeIf(cell -> !cell.onBoard());
            return all;
        }
    }

    /** One game: our fleet, and what we know about the opponent's. */
    static class Player {
        final List<Set<Cell>> ships = randomFleet();
        final Set<Cell> struck = new HashSet<>(); // our cells that were attacked
        final Set<Cell> open = new HashSet<>(); // cells worth a shot
        final Set<Cell> chased = new HashSet<>(); // hits on ships that are afloat
        final boolean mayTouch; // whether ships may touch

        Player(boolean mayTouch) {
            this.mayTouch = mayTouch;
            for (int i = 0; i < SIZE * SIZE; i++) {
                open.add(new Cell(i % SIZE, i / SIZE));
            }
        }

        /** Returns the result of an attack on our fleet. */
        int answer(Cell cell) {
            struck.add(cell);
            for (Set<Cell> ship : ships) {
                if (ship.contains(cell)) {
                    if (!struck.containsAll(ship)) {
                        return HIT;
                    }
                    return ships.stream().allMatch(struck::containsAll) ? LAST_SUNK : SUNK;
                }
            }
            return WATER;
        }

        /** Returns a cell in line with two hits, else next to a hit, else anywhere. */
        Cell shoot() {
            List<Cell> around = new ArrayList<>(), line = new ArrayList<>();
            for (Cell hit : chased) {
                for (Cell next : hit.neighbours()) {
                    if (open.contains(next)) {
                        around.add(next);
                        Cell behind = hit.step(hit.x() - next.x(), hit.y() - next.y());
                        if (chased.contains(behind)) {
                            line.add(next);
                        }
                    }
                }
            }
            return pick(!line.isEmpty() ? line : !around.isEmpty() ? around : new ArrayList<>(open));
        }

        void learn(Cell cell, int result) {
            open.remove(cell);
            if (result == HIT || result == SUNK) {
                chased.add(cell);
            }
            if (result == SUNK) {
                Set<Cell> ship = shipAt(cell);
                chased.removeAll(ship);
                if (!mayTouch) { // there is no ship next to a sunk one
                    ship.forEach(part -> open.removeAll(part.neighbours()));
                }
            }
        }

        /** Returns the sunk ship at the cell: the longer row of hits through it. */
        Set<Cell> shipAt(Cell cell) {
            Set<Cell> across = row(cell, 1, 0), down = row(cell, 0, 1);
            return across.size() >= down.size() ? across : down;
        }

        Set<Cell> row(Cell cell, int dx, int dy) {
            Set<Cell> row = new HashSet<>(List.of(cell));
            for (int way : new int[] {1, -1}) {
                for (Cell next = cell.step(way * dx, way * dy); chased.contains(next); next = next.step(way * dx, way * dy)) {
                    row.add(next);
                }
            }
            return row;
        }

        static Cell pick(List<Cell> cells) {
            if (cells.isEmpty()) { // only if results were false: attack any cell again
                return new Cell(random.nextInt(SIZE), random.nextInt(SIZE));
            }
            return cells.get(random.nextInt(cells.size()));
        }

        /** Returns five ships that do not touch along an edge. */
        static List<Set<Cell>> randomFleet() {
            while (true) {
                List<Set<Cell>> fleet = new ArrayList<>();
                Set<Cell> taken = new HashSet<>();
                for (int length : LENGTHS) {
                    Cell stern = new Cell(random.nextInt(SIZE), random.nextInt(SIZE));
                    int across = random.nextInt(2);
                    Set<Cell> ship = new HashSet<>();
                    for (int i = 0; i < length; i++) {
                        ship.add(stern.step(i * across, i * (1 - across)));
                    }
                    if (ship.stream().anyMatch(cell -> !cell.onBoard() || taken.contains(cell))) {
                        break;
                    }
                    fleet.add(ship);
                    taken.addAll(ship);
                    ship.forEach(cell -> taken.addAll(cell.neighbours()));
                }
                if (fleet.size() == LENGTHS.length) {
                    return fleet;
                }
            }
        }
    }

    enum Outcome { WON, LOST, CUT_SHORT }

    static final Pattern NUMBER = Pattern.compile("\\d+");

    /** Plays one game with the base protocol only. */
    static Outcome play(String host, int port) throws IOException {
        Player player = new Player(false);
        boolean attacksFirst = false;
        try (Socket socket = new Socket(host, port)) {
            socket.setTcpNoDelay(true);
            BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            OutputStream out = socket.getOutputStream();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                int[] n = NUMBER.matcher(line).results()
                        .mapToInt(m -> Integer.parseInt(m.group())).toArray();
                switch (n[0]) {
                    case ATTACK_FIRST -> attacksFirst = true;
                    case START -> {
                        if (attacksFirst) {
                            attack(out, player.shoot());
                        }
                    }
                    case ATTACK -> {
                        int result = player.answer(new Cell(n[1], n[2]));
                        send(out, "(2,[" + n[1] + "," + n[2] + "," + result + "]).\n");
                        if (result == LAST_SUNK) {
                            return Outcome.LOST;
                        }
                        attack(out, player.shoot());
                    }
                    case RESULT -> {
                        if (n[3] == LAST_SUNK) {
                            return Outcome.WON;
                        }
                        player.learn(new Cell(n[1], n[2]), n[3]);
                    }
                    default -> { } // DEFEND_FIRST: wait
                }
            }
        }
        return Outcome.CUT_SHORT;
    }

    /** Plays a series on one connection. Returns the numbers of games won and lost. */
    static int[] series(String host, int port, List<String> directives, boolean mayTouch) throws IOException {
        Player player = new Player(mayTouch);
        boolean attacksFirst = false, begun = false;
        int won = 0, lost = 0;
        try (Socket socket = new Socket(host, port)) {
            socket.setTcpNoDelay(true);
            BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            OutputStream out = socket.getOutputStream();
            for (String directive : directives) {
                send(out, "% " + directive + "\n");
            }
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.startsWith("%")) { // sent only to clients that send directives
                    String[] words = line.substring(1).trim().split(" ", 3);
                    if (words[0].equals("error") && !words[1].equals("ignored") && !words[1].equals("unrated")) {
                        System.err.println(words[2]);
                        if (!begun) { // the server refused the game
                            System.exit(1);
                        }
                    } else if (words[0].equals("result")) {
                        won += words[1].equals("won") ? 1 : 0;
                        lost += words[1].equals("lost") ? 1 : 0;
                    }
                    continue;
                }
                int[] n = NUMBER.matcher(line).results()
                        .mapToInt(m -> Integer.parseInt(m.group())).toArray();
                switch (n[0]) {
                    case DEFEND_FIRST, ATTACK_FIRST -> { // the next game
                        player = new Player(mayTouch);
                        attacksFirst = n[0] == ATTACK_FIRST;
                        begun = true;
                    }
                    case START -> {
                        if (attacksFirst) {
                            attack(out, player.shoot());
                        }
                    }
                    case ATTACK -> {
                        int result = player.answer(new Cell(n[1], n[2]));
                        send(out, "(2,[" + n[1] + "," + n[2] + "," + result + "]).\n");
                        if (result != LAST_SUNK) {
                            attack(out, player.shoot());
                        }
                    }
                    case RESULT -> player.learn(new Cell(n[1], n[2]), n[3]);
                    default -> { }
                }
            }
        }
        return new int[] {won, lost};
    }

    static void attack(OutputStream out, Cell cell) throws IOException {
        send(out, "(1,[" + cell.x() + "," + cell.y() + "]).\n");
    }

    static void send(OutputStream out, String line) throws IOException {
        out.write(line.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    public static void main(String[] args) {
        String address = args.length > 0 ? args[0] : System.getenv("BROADSIDE_RELAY");
        if (address == null) {
            System.err.println("usage: java Client.java HOST:PORT [GAMES [RULES [OPPONENT]]]");
            System.exit(1);
        }
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, colon);
        int port = Integer.parseInt(address.substring(colon + 1));
        boolean forever = args.length == 0;
        int games = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        int won = 0, lost = 0;
        if (args.length > 2 && !List.of("classic", "hasbro").contains(args[2])) {
            System.err.println("this client cannot play " + args[2] + ": choose classic or hasbro");
            System.exit(1);
        }
        if (args.length > 2) {
            List<String> directives = new ArrayList<>(List.of("hello broadside/1 name=java", "rules " + args[2], "games " + games));
            if (System.getenv("BROADSIDE_TOKEN") != null) {
                directives.add("token " + System.getenv("BROADSIDE_TOKEN"));
            }
            directives.add("vs " + (args.length > 3 ? args[3] : "any")); // last, because it starts the game
            try {
                int[] both = series(host, port, directives, args[2].equals("hasbro"));
                won = both[0];
                lost = both[1];
            } catch (IOException e) {
                System.err.println("no relay at " + address + ": " + e.getMessage());
                System.exit(1);
            }
            games = 0;
        }
        for (int i = 0; forever || i < games; i++) {
            try {
                switch (play(host, port)) {
                    case WON -> won++;
                    case LOST -> lost++;
                    case CUT_SHORT -> { }
                }
            } catch (ConnectException e) {
                if (forever) {
                    break;
                }
                System.err.println("no relay at " + address + ": " + e.getMessage());
                System.exit(1);
            } catch (IOException e) {
                // disconnected during the game
            }
        }
        System.out.println("End of game. Java won " + won + " times and lost " + lost + " times.");
    }
}
