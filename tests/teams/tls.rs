//! A store on a PostgreSQL server over TLS: what is checked, and what a wrong server is told.

use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use test_support::{Sealed, sealed};

use crate::engines::PostgresServer;

/// The configuration of both requests for certificates: no question, nothing of the system's file.
const REQUEST: &str = "[req]\nprompt = no\ndistinguished_name = name\n[name]\nCN = team\n\
    [authority]\nbasicConstraints = critical, CA:TRUE\n\
    [server]\nbasicConstraints = CA:FALSE\nsubjectAltName = DNS:localhost\n";
const KEY: [&str; 6] =
    ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-sha256"];
const TWO_DAYS: [&str; 2] = ["-days", "2"];

/// Makes an authority in the folder of a server.
fn make_authority(server: &PostgresServer, name: &str) -> PathBuf {
    let (key, certificate) = (format!("{name}.key"), format!("{name}.crt"));
    let subject = format!("/CN={name}");
    let out = ["-subj", &subject, "-keyout", &key, "-out", &certificate];
    let out = [&out[..], &["-extensions", "authority"]].concat();
    let args = [&["req", "-x509", "-config", "req.cnf"], &KEY[..], &TWO_DAYS, &out].concat();
    server.run(Path::new("openssl"), &args);
    server.folder().join(certificate)
}

/// Makes the key of a server, for its user alone, and a certificate for `localhost`.
fn make_certificate(server: &PostgresServer, authority: &str) {
    let openssl = |args: &[&str]| server.run(Path::new("openssl"), args);
    let out = ["-keyout", "data/server.key", "-out", "server.csr"];
    openssl(&[&["req", "-config", "req.cnf"], &KEY[..], &out].concat());
    server.run(Path::new("chmod"), &["600", "data/server.key"]);
    let (key, certificate) = (format!("{authority}.key"), format!("{authority}.crt"));
    let by = ["-CA", &certificate, "-CAkey", &key, "-CAcreateserial"];
    let extensions = ["-extfile", "req.cnf", "-extensions", "server"];
    let files = ["x509", "-req", "-in", "server.csr", "-out", "data/server.crt"];
    openssl(&[&files[..], &by, &extensions, &TWO_DAYS].concat());
}

/// Makes a key and a certificate that signs itself, of the kind that a section of the
/// configuration says. Returns the file of the certificate.
fn make_self_signed(server: &PostgresServer, kind: &str) -> PathBuf {
    let out = ["-keyout", "data/server.key", "-out", "data/server.crt", "-extensions", kind];
    let args = [&["req", "-x509", "-config", "req.cnf"], &KEY[..], &TWO_DAYS, &out].concat();
    server.run(Path::new("openssl"), &args);
    server.folder().join("data/server.crt")
}

/// Says who may connect over TCP: `host` anyone, `hostssl` with TLS alone.
fn admit(server: &PostgresServer, kind: &str) {
    let text = format!("local all all trust\n{kind} all all all trust\n");
    fs::write(server.folder().join("data/pg_hba.conf"), text).unwrap();
}

fn has_openssl() -> bool {
    let has = std::process::Command::new("openssl").arg("version").output().is_ok();
    let missing = "openssl is not installed";
    assert!(has || std::env::var_os("CI").is_none(), "{missing}");
    if !has {
        let _ = writeln!(std::io::stderr(), "NOT CHECKED: {missing}");
    }
    has
}

/// A user's machine: `navigator`, and the port of the server.
struct Machine {
    navigator: Sealed,
    port: String,
}

impl Machine {
    /// Runs `navigator store init` with an address, and returns its exit code and what it said.
    fn init(&self, host: &str, mode: &str, authorities: &Path) -> (i32, String) {
        let Machine { navigator, port } = self;
        let place = format!("postgres://navigator@{host}:{port}/postgres?sslmode={mode}");
        let ran = navigator
            .command(navigator.home())
            .args(["store", "init", "--store", &place])
            .env("SSL_CERT_FILE", authorities)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&ran.stderr).replace(port, "PORT");
        // Which address `localhost` has first depends on the machine.
        let said = said.replace("\"::1\"", "\"127.0.0.1\"");
        (ran.status.code().unwrap(), said)
    }
}

#[test]
fn a_server_is_checked_and_a_wrong_one_is_told_apart() {
    let (true, Some(server)) = (has_openssl(), PostgresServer::start()) else { return };
    server.stop();
    fs::write(server.folder().join("req.cnf"), REQUEST).unwrap();
    let (own, other) = (make_authority(&server, "own"), make_authority(&server, "other"));
    make_certificate(&server, "own");
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let settings = [("listen_addresses", "localhost"), ("port", port.as_str())];

    admit(&server, "hostssl");
    server.begin_with(&[&settings[..], &[("ssl", "on")]].concat());
    let machine = Machine { navigator: sealed(env!("CARGO_BIN_EXE_navigator")), port };
    for mode in ["require", "prefer"] {
        let (code, said) = machine.init("localhost", mode, &own);
        assert_eq!(code, 0, "{mode}: {said}");
    }
    let mut said = String::new();
    for (host, mode, authorities) in [
        ("localhost", "require", &other),
        ("localhost", "prefer", &other),
        ("127.0.0.1", "require", &own),
        ("localhost", "disable", &own),
        ("localhost", "verify-full", &own),
    ] {
        let (code, error) = machine.init(host, mode, authorities);
        assert_eq!(code, 1, "{error}");
        said += &format!("{host}, {mode}: {error}");
    }
    server.stop();

    // A server that signs for itself: its certificate is the authority.
    let port = machine.port.as_str();
    let settings = [("listen_addresses", "localhost"), ("port", port), ("ssl", "on")];
    let itself = make_self_signed(&server, "server");
    server.begin_with(&settings);
    assert_eq!(machine.init("localhost", "require", &itself).0, 0);
    server.stop();
    let itself = make_self_signed(&server, "authority");
    server.begin_with(&settings);
    let (code, error) = machine.init("localhost", "require", &itself);
    assert_eq!(code, 1);
    said += &format!("the certificate of an authority: {error}");
    server.stop();

    admit(&server, "host");
    server.begin_with(&[("listen_addresses", "localhost"), ("port", port), ("ssl", "off")]);
    assert_eq!(machine.init("localhost", "prefer", &own).0, 0);
    let (code, error) = machine.init("localhost", "require", &own);
    assert_eq!(code, 1);
    said += &format!("without TLS, require: {error}");
    insta::assert_snapshot!(said, @r#"
    localhost, require: navigator: the store postgres://navigator@localhost:PORT/postgres?sslmode=require failed: error performing TLS handshake: invalid peer certificate: UnknownIssuer (the variable SSL_CERT_FILE names a file with the authority that signed the certificate)
    localhost, prefer: navigator: the store postgres://navigator@localhost:PORT/postgres?sslmode=prefer failed: error performing TLS handshake: invalid peer certificate: UnknownIssuer (the variable SSL_CERT_FILE names a file with the authority that signed the certificate)
    127.0.0.1, require: navigator: the store postgres://navigator@127.0.0.1:PORT/postgres?sslmode=require failed: error performing TLS handshake: invalid peer certificate: certificate not valid for name "127.0.0.1"; certificate is only valid for DnsName("localhost") (the certificate has to name the host of the address)
    localhost, disable: navigator: the store postgres://navigator@localhost:PORT/postgres?sslmode=disable failed: no pg_hba.conf entry for host "127.0.0.1", user "navigator", database "postgres", no encryption
    localhost, verify-full: navigator: `postgres://navigator@localhost:PORT/postgres?sslmode=verify-full` is no store: invalid connection string: invalid value for option `sslmode` (`disable`, `prefer` and `require` are known; over TLS the certificate is always checked)
    the certificate of an authority: navigator: the store postgres://navigator@localhost:PORT/postgres?sslmode=require failed: error performing TLS handshake: invalid peer certificate: Other(OtherError(CaUsedAsEndEntity)) (a server needs a certificate that is no authority's: `basicConstraints=CA:FALSE`)
    without TLS, require: navigator: the store postgres://navigator@localhost:PORT/postgres?sslmode=require failed: error performing TLS handshake: server does not support TLS (`sslmode=require` insists on it)
    "#);
}
