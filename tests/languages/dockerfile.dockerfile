# syntax=docker/dockerfile:1

# Builds the collector.
FROM rust:1.80 AS build
ARG PROFILE=release
ARG TARGET
ENV CARGO_TERM_COLOR=never \
    RUST_BACKTRACE=1
WORKDIR /src
COPY --chown=me:me Cargo.toml Cargo.lock \
     src /src/
# The slow part.
RUN --mount=type=cache,target=/root/.cargo cargo build --profile $PROFILE \
    # inner remark
    && strip target/$PROFILE/collect \
    && rm -rf target/debug
RUN set -eux; \
    apt-get update; \
    apt-get install -y sqlite3

FROM --platform=$BUILDPLATFORM debian:stable-slim
LABEL org.example.title="Collector" \
      org.example.version="3"
COPY --from=build /src/target/release/collect /usr/local/bin/
COPY ["a file", "/etc/"]
COPY <<END /etc/collect.toml
every = 60
END
ADD https://example.org/ca.pem /etc/ssl/
RUN <<END
useradd collect
END
RUN ["collect", "--check"]
USER collect
VOLUME /var/readings
EXPOSE 8080/tcp 9100
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5m CMD curl -f http://localhost:8080/
ONBUILD RUN collect --init
SHELL ["/bin/bash", "-c"]
BROKEN instruction
ENTRYPOINT ["collect"]
CMD ["--port", "8080"]
