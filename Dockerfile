# The server as one static binary and nothing else. Keep /data: it has the host
# keys and the database.
#
#   docker build --build-arg VERSION="$(git describe --always --tags)" -t broadside .
#   docker run -p 22:2222 -p 54321:54321 -v broadside:/data broadside
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X broadside/internal/cli.version=$VERSION" -o /broadside . \
    && mkdir -m 0700 /data

FROM scratch
COPY --from=build /broadside /broadside
COPY --from=build --chown=65532:65532 /data /data
USER 65532:65532
ENV BROADSIDE_DATA=/data
VOLUME /data
EXPOSE 2222 54321
STOPSIGNAL SIGTERM
ENTRYPOINT ["/broadside"]
