import java.util.*;
/** A player on standard input and output: broadside connect HOST -- java Player.java */
public class Player {
    /** Your strategy: returns an open cell, 10 * x + y. Results has the cells attacked so far: 1 miss, 2 hit, 3 sunk. */
    static Integer choose(List<Integer> open, Map<Integer, Integer> results) { return open.get(new Random().nextInt(open.size())); }
    public static void main(String[] args) {
        int[] length = {5, 4, 3, 3, 2}, bow = new int[5], struck = new int[5]; // ship i is in row 2 * i; struck has a bit for each hit
        var open = new ArrayList<Integer>(); var results = new HashMap<Integer, Integer>(); boolean first = false;
        for (var in = new Scanner(System.in); in.hasNextLine(); ) {
            int answer = 0, n[] = new Scanner(in.nextLine()).useDelimiter("\\D+").tokens().mapToInt(Integer::parseInt).toArray();
            if (n[0] == 3 || n[0] == 4) { // a new game, in which we defend or attack first
                first = n[0] == 4; results.clear(); open.clear(); for (int c = 0; c < 100; c++) open.add(c);
                for (int i = 0; i < 5; i++) { bow[i] = new Random().nextInt(11 - length[i]); struck[i] = 0; }
            }
            if (n[0] == 1) { // an attack: answer it
                int i = n[2] / 2, part = n[1] - bow[i], afloat = 0, hit = n[2] % 2 == 0 && part >= 0 && part < length[i] ? 1 << part : 0;
                struck[i] |= hit;
                for (int k = 0; k < 5; k++) if (Integer.bitCount(struck[k]) < length[k]) afloat |= 1 << k;
                System.out.printf("(2,[%d,%d,%d]).\n", n[1], n[2], answer = hit == 0 ? 1 : (afloat >> i & 1) == 1 ? 2 : afloat > 0 ? 3 : 4);
            }
            if (n[0] == 2) results.put(10 * n[1] + n[2], n[3]);
            if (n[0] == 5 && first || n[0] == 1 && answer < 4) { Integer shot = choose(open, results); open.remove(shot); System.out.printf("(1,[%d,%d]).\n", shot / 10, shot % 10); }
        }
    }
}
