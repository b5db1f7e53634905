//! Why an address gave no response. Each is a line about one page; none ends a run.

use std::time::Duration;

use chrono::DateTime;
use repo_map::Sanitized;

use crate::source::response::Response;

/// Statuses of a server that may answer later.
pub(crate) fn is_momentary(status: u16) -> bool {
    matches!(status, 429 | 500 | 502 | 503 | 504)
}

/// Reads `Retry-After`: seconds, or a date, which is compared with the date of the response.
pub(crate) fn retry_after(response: &Response) -> Option<Duration> {
    let text = response.header("retry-after")?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = DateTime::parse_from_rfc2822(text).ok()?;
    let sent = DateTime::parse_from_rfc2822(response.header("date")?).ok()?;
    Some((until - sent).to_std().unwrap_or_default())
}

/// Why an address gave no response.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The limit of requests is reached; nothing was sent.
    #[error("the limit of {limit} requests is reached")]
    MaxRequests {
        /// The limit.
        limit: u64,
    },
    /// The limit of bytes is reached; what was received of this page is dropped.
    #[error("the limit of {limit} bytes is reached")]
    MaxBytes {
        /// The limit.
        limit: u64,
    },
    /// The time of the run is over; what was received of this page is dropped.
    #[error("the time limit of the run is reached")]
    OutOfTime,
    /// Neither http nor https.
    #[error("only http and https have servers")]
    Scheme,
    /// The host is in a private network, and the person did not name it.
    #[error(
        "`{}` is an address of a private network (name the host to allow it)",
        Sanitized::line(host)
    )]
    Private {
        /// The host.
        host: String,
    },
    /// The address is of another origin than the only one allowed.
    #[error("it leads to another origin, `{}`", Sanitized::line(origin))]
    OtherOrigin {
        /// The origin.
        origin: String,
    },
    /// The name of the host has no address.
    #[error("cannot resolve `{}`: {}", Sanitized::line(host), Sanitized::line(message))]
    Resolve {
        /// The host.
        host: String,
        /// The cause.
        message: String,
    },
    /// The rules for robots of the site.
    #[error("{}", Sanitized::line(reason))]
    Robots {
        /// The rule, or why the rules cannot be read.
        reason: String,
    },
    /// Each redirect leads to another.
    #[error("more than {limit} redirects")]
    Redirects {
        /// The largest number of redirects.
        limit: usize,
    },
    /// A redirect leads back to an address before it.
    #[error("redirect loop")]
    RedirectLoop,
    /// A redirect leads to a page that the rules of the person exclude; it is not followed.
    #[error("redirects to a page that rules exclude")]
    Excluded,
    /// The server asked to wait for longer than any run does; nothing more is sent to it.
    #[error("status {status}, and the server asks to wait {} s", wait.as_secs())]
    AskedToWait {
        /// The status of the response that asked.
        status: u16,
        /// The time from the response on.
        wait: Duration,
    },
    /// The body is larger than a page may be.
    #[error("the page is larger than {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: u64,
    },
    /// The server did not finish in time.
    #[error("no complete answer within {} s", time.as_secs_f64())]
    Deadline {
        /// The time of one request.
        time: Duration,
    },
    /// There is no connection to the server.
    #[error(
        "the server at `{}` cannot be reached: {} (is the address right, and does the server run?)",
        Sanitized::line(server),
        Sanitized::line(message)
    )]
    Unreachable {
        /// The origin of the server.
        server: String,
        /// The cause.
        message: String,
    },
    /// The connection ended before the response did.
    #[error("{}", Sanitized::line(message))]
    Broken {
        /// What happened.
        message: String,
    },
    /// The body is not what its encoding says.
    #[error("{}", Sanitized::line(message))]
    Encoding {
        /// The decoder's message.
        message: String,
    },
    /// The server declares an image, an archive or another file that has no page.
    #[error("`{}` is no page", Sanitized::line(content_type))]
    NoPage {
        /// The declared type.
        content_type: String,
    },
    /// The client cannot be set up.
    #[error("cannot set up the client: {}", Sanitized::line(message))]
    Client {
        /// The cause.
        message: String,
    },
}

impl FetchError {
    /// Reports whether a limit of the run is reached, so that no other address has a chance.
    pub fn is_limit(&self) -> bool {
        matches!(
            self,
            FetchError::MaxRequests { .. } | FetchError::MaxBytes { .. } | FetchError::OutOfTime
        )
    }
}
