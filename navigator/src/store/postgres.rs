//! PostgreSQL, for stores that many machines share.

use std::io;
use std::time::Duration;

use postgres::error::SqlState;
use postgres::types::{ToSql, Type};
use postgres::{Client, Config, Row, Transaction};
use rustls::{ClientConfig, ConfigBuilder, WantsVerifier};
use rustls_platform_verifier::BuilderVerifierExt as _;
use tokio_postgres_rustls::MakeRustlsConnect;

use super::engine::{SqlEngine, SqlRow, SqlTransaction, SqlValue, Work};
use super::error::StoreError;
use super::place::StorePlace;

/// The longest wait for a connection, and for an answer of a server that is reached.
const WAIT: Duration = Duration::from_secs(10);

/// The key of the lock under which a store is made or changed: any number that others do not use.
const MAINTENANCE: i64 = 0x6e61_7669_6761_746f;

/// A connection to a server.
pub(crate) struct PostgresEngine {
    client: Client,
    place: String,
}

impl PostgresEngine {
    /// Connects. The password may stand in the address or in `PGPASSWORD`.
    ///
    /// # Errors
    /// If the address cannot be read, or the server not be reached.
    pub(crate) fn connect(address: &str, place: &StorePlace) -> Result<PostgresEngine, StoreError> {
        let place = place.to_string();
        let wrong = |message: String| StoreError::Place { place: place.clone(), message };
        let mut config: Config = address
            .parse()
            .map_err(|error: postgres::Error| wrong(with_way_out(reason(&error))))?;
        if config.get_password().is_none()
            && let Some(password) = password_of_environment()
        {
            config.password(password);
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(WAIT);
        }
        config.tcp_user_timeout(WAIT);
        config.application_name("navigator");
        // The provider is named, since a library must not set one for the whole process.
        let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
        let tls = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .and_then(ConfigBuilder::<ClientConfig, WantsVerifier>::with_platform_verifier)
            .map_err(|error| wrong(error.to_string()))?
            .with_no_client_auth();
        let mut client =
            config.connect(MakeRustlsConnect::new(tls)).map_err(|error| told(&place, &error))?;
        let settings = format!(
            "SET statement_timeout = {ms}; SET lock_timeout = {ms}; \
             SET idle_in_transaction_session_timeout = {ms}; SET client_min_messages = warning",
            ms = WAIT.as_millis()
        );
        client.batch_execute(&settings).map_err(|error| told(&place, &error))?;
        Ok(PostgresEngine { client, place })
    }
}

#[expect(clippy::disallowed_methods, reason = "the rim: the password of the environment")]
fn password_of_environment() -> Option<String> {
    std::env::var("PGPASSWORD").ok().filter(|password| !password.is_empty())
}

impl SqlEngine for PostgresEngine {
    fn transaction(&mut self, work: &mut Work<'_>) -> Result<(), StoreError> {
        let PostgresEngine { client, place } = self;
        let transaction = client.transaction().map_err(|error| told(place, &error))?;
        let mut statements = ServerStatements { transaction, place };
        work(&mut statements)?;
        statements.transaction.commit().map_err(|error| told(place, &error))
    }
}

struct ServerStatements<'c> {
    transaction: Transaction<'c>,
    place: &'c str,
}

impl SqlTransaction for ServerStatements<'_> {
    fn execute(&mut self, sql: &str, values: &[SqlValue]) -> Result<u64, StoreError> {
        self.transaction
            .execute_typed(sql, &parameters(values))
            .map_err(|error| told(self.place, &error))
    }

    fn query(&mut self, sql: &str, values: &[SqlValue]) -> Result<Vec<SqlRow>, StoreError> {
        let rows = self
            .transaction
            .query_typed(sql, &parameters(values))
            .map_err(|error| told(self.place, &error))?;
        let row = |row: &Row| (0..row.len()).map(|at| cell(row, at)).collect();
        let rows: Result<Vec<Vec<SqlValue>>, postgres::Error> = rows.iter().map(row).collect();
        let rows = rows.map_err(|error| told(self.place, &error))?;
        Ok(rows.into_iter().map(SqlRow).collect())
    }

    fn has_table(&mut self, name: &str) -> Result<bool, StoreError> {
        let sql = "SELECT 1::BIGINT FROM pg_tables \
                   WHERE schemaname = current_schema() AND tablename = $1";
        Ok(!self.query(sql, &[name.into()])?.is_empty())
    }

    fn lock_whole(&mut self) -> Result<(), StoreError> {
        self.query("SELECT pg_advisory_xact_lock($1)::TEXT", &[MAINTENANCE.into()])?;
        if self.has_table(super::migrations::VERSION_TABLE)? {
            // Every transaction reads this table first, and so holds a lock that excludes this one.
            let sql =
                format!("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE", super::migrations::VERSION_TABLE);
            self.execute(&sql, &[])?;
        }
        Ok(())
    }
}

/// Returns the values of a statement with their types: a statement whose types are known needs one
/// way to the server and back, not two. Of our columns only integers can be null.
fn parameters(values: &[SqlValue]) -> Vec<(&(dyn ToSql + Sync), Type)> {
    let parameter = |value| match value {
        &SqlValue::Null => (&None::<i64> as &(dyn ToSql + Sync), Type::INT8),
        SqlValue::Integer(number) => (number as _, Type::INT8),
        SqlValue::Text(text) => (text as _, Type::TEXT),
        SqlValue::Bytes(bytes) => (bytes as _, Type::BYTEA),
    };
    values.iter().map(parameter).collect()
}

fn cell(row: &Row, at: usize) -> Result<SqlValue, postgres::Error> {
    let value = match *row.columns()[at].type_() {
        Type::INT8 => row.try_get::<_, Option<i64>>(at)?.map(SqlValue::Integer),
        Type::INT4 => row.try_get::<_, Option<i32>>(at)?.map(|n| SqlValue::Integer(n.into())),
        Type::BYTEA => row.try_get::<_, Option<Vec<u8>>>(at)?.map(SqlValue::Bytes),
        _ => row.try_get::<_, Option<String>>(at)?.map(SqlValue::Text),
    };
    Ok(value.unwrap_or(SqlValue::Null))
}

/// Adds the way out to a message about TLS.
fn with_way_out(message: String) -> String {
    let way_out = if message.contains("sslmode") {
        "`disable`, `prefer` and `require` are known; over TLS the certificate is always checked"
    } else if message.contains("sslrootcert") {
        "the variable SSL_CERT_FILE names a file of authorities"
    } else if message.contains("UnknownIssuer") || message.contains("BadSignature") {
        "the variable SSL_CERT_FILE names a file with the authority that signed the certificate"
    } else if message.contains("CaUsedAsEndEntity") {
        "a server needs a certificate that is no authority's: `basicConstraints=CA:FALSE`"
    } else if message.contains("does not support TLS") {
        "`sslmode=require` insists on it"
    } else if message.contains("not valid for name") {
        "the certificate has to name the host of the address"
    } else {
        return message;
    };
    format!("{message} ({way_out})")
}

/// Reports whether the handshake of TLS came to a no, which another try would not change. A
/// connection that broke off within it is none.
fn is_refused_handshake(error: &postgres::Error) -> bool {
    let source = std::error::Error::source(error);
    let broken = source.and_then(|source| source.downcast_ref::<io::Error>());
    error.to_string().starts_with("error performing TLS handshake")
        && broken
            .is_none_or(|error| error.get_ref().is_some_and(|inner| inner.is::<rustls::Error>()))
}

/// Returns the message of an error with that of the server.
fn reason(error: &postgres::Error) -> String {
    match error.as_db_error() {
        Some(server) => server.message().to_owned(),
        None => std::error::Error::source(error)
            .map_or_else(|| error.to_string(), |source| format!("{error}: {source}")),
    }
}

fn told(place: &str, error: &postgres::Error) -> StoreError {
    let (place, message) = (place.to_owned(), reason(error));
    if is_refused_handshake(error) {
        return StoreError::Engine { place, message: with_way_out(message) };
    }
    let Some(code) = error.code() else {
        let source = std::error::Error::source(error);
        let is_away = error.is_closed() || source.is_some_and(|source| source.is::<io::Error>());
        return match is_away {
            true => StoreError::Away { place, message },
            false => StoreError::Engine { place, message },
        };
    };
    match code {
        &SqlState::UNDEFINED_TABLE => StoreError::Missing { place },
        &SqlState::T_R_SERIALIZATION_FAILURE
        | &SqlState::T_R_DEADLOCK_DETECTED
        | &SqlState::LOCK_NOT_AVAILABLE
        | &SqlState::QUERY_CANCELED
        | &SqlState::TOO_MANY_CONNECTIONS
        | &SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT => StoreError::Away { place, message },
        // Class 57: an operator ends the server, or it starts; class 08: the connection.
        code if code.code().starts_with("57P") || code.code().starts_with("08") => {
            StoreError::Away { place, message }
        }
        _ => StoreError::Engine { place, message },
    }
}
