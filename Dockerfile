# Serves the table: docker build -t gonzaga . && docker run -p 8000:8000 -v gonzaga:/data gonzaga
# The log then shows the address with the password (docs/play.md#on-a-network).
FROM python:3.11-slim-bookworm AS build
WORKDIR /source
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
COPY . .
RUN python -m venv /opt/table \
    && /opt/table/bin/pip install --constraint constraints.txt ".[web]" \
    && /opt/table/bin/pip check

FROM python:3.11-slim-bookworm
RUN useradd --system --uid 1000 --home-dir /data table && install -d -o table -g table /data
COPY --from=build /opt/table /opt/table
USER 1000
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
    CMD ["/opt/table/bin/python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/api/options', timeout=4)"]
ENTRYPOINT ["/opt/table/bin/gonzaga", "play", "--host", "0.0.0.0", "--port", "8000", "--data", "/data/tables.sqlite", "--no-open"]
