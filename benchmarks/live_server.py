"""The web server without limits for the streams of one person and address, which have all of a benchmark."""

from dataclasses import replace

from web.server import uvicorn_server


def main() -> None:
    uvicorn_server.load()
    from gameplay.views import live

    live.STREAMS = replace(live.STREAMS, person=None, address=None)
    uvicorn_server.main()


if __name__ == "__main__":
    main()
