//! A certificate for 127.0.0.1 that nobody trusts, and its key, which is no secret. Made by
//! `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500`.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;

/// As DER, in base64.
const CERTIFICATE: &str = "\
    MIIBjzCCATagAwIBAgIUG3tYJ2Llr8/Piea/ziULUQQTWT0wCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJMTI3LjAu\
    MC4xMCAXDTI2MTEyMzEyMzAwNloYDzIxMjYxMDMwMTIzMDA2WjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcq\
    hkjOPQIBBggqhkjOPQMBBwNCAASUIvpqH90UpWi9kiLmA9gFwAV27skbWvkzezGl35+9HTM3st5srCTYUv+yPzD7\
    pfw2feMIdE0NYLUqEIHbgaxuo2QwYjAdBgNVHQ4EFgQU5mesi9MBKZUU74j1/E3iFtPMWS8wHwYDVR0jBBgwFoAU\
    5mesi9MBKZUU74j1/E3iFtPMWS8wDwYDVR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMC\
    A0cAMEQCIFrcGqT0XKVyFpYEavvW7S7fU4qAIFfUMt/HGpR6yN+nAiBMPP4ufPvoPwockn9cxT1cWT1pPVW46ymW\
    5n0gu7R/BA==\
";

/// As PKCS #8.
const KEY: &str = "\
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjbP43TeATbGiJ46UEVgG6LqhEwk6i+P1gpTU+WGK\
    9aOhRANCAASUIvpqH90UpWi9kiLmA9gFwAV27skbWvkzezGl35+9HTM3st5srCTYUv+yPzD7pfw2feMIdE0NYLUq\
    EIHbgaxu\
";

/// The settings of a TLS server.
pub(super) fn config() -> Arc<ServerConfig> {
    let certificate = STANDARD.decode(CERTIFICATE).unwrap().into();
    let key = PrivateKeyDer::Pkcs8(STANDARD.decode(KEY).unwrap().into());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    Arc::new(config)
}
