//! The flags that a browser is started with.

use std::net::SocketAddr;

/// Features that talk to servers of their own, or send without a page, and lists of suggestions
/// below the address: they are pages of the browser's own, and take more than half of the CPU time
/// of a start (1.3 s of 2.1 s in Chromium 156).
const DISABLED_FEATURES: [&str; 18] = [
    "AutofillServerCommunication",
    "BackgroundFetch",
    "CertificateTransparencyComponentUpdater",
    "DialMediaRouteProvider",
    "FedCm",
    "InterestFeedContentSuggestions",
    "MediaRouter",
    "NetworkErrorLogging",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PreconnectToSearch",
    "Prerender2",
    "Reporting",
    "SafeBrowsingPhishingDetection",
    "Translate",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "WebUIOmniboxPopup",
];

/// Flags that every run has: no traffic of the browser's own, no questions, no throttling of tabs
/// in the background, the same picture everywhere.
const FLAGS: [&str; 35] = [
    "--no-startup-window",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--metrics-recording-only",
    "--mute-audio",
    "--deny-permission-prompts",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-crash-reporter",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-field-trial-config",
    "--disable-gpu",
    "--disable-hang-monitor",
    "--disable-print-preview",
    "--disable-prompt-on-repost",
    "--disable-quic",
    "--disable-renderer-backgrounding",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--force-color-profile=srgb",
    "--force-device-scale-factor=1",
    "--hide-scrollbars",
    "--lang=en-US",
    "--password-store=basic",
    "--use-mock-keychain",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
];

/// Returns the flags of a browser with a window of this size, all of whose traffic passes a proxy.
pub(crate) fn flags(is_headed: bool, window: (u32, u32), proxy: SocketAddr) -> Vec<String> {
    let (width, height) = window;
    let mut flags: Vec<String> = FLAGS.map(str::to_owned).to_vec();
    flags.push(format!("--window-size={width},{height}"));
    flags.push(format!("--proxy-server=http://{proxy}"));
    // Otherwise the loopback would be reached without the proxy.
    flags.push("--proxy-bypass-list=<-loopback>".to_owned());
    // The proxy resolves names: the browser asks no name server, not even ahead of a link.
    flags.push(format!("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE {}", proxy.ip()));
    flags.push(format!("--disable-features={}", DISABLED_FEATURES.join(",")));
    if !is_headed {
        flags.push("--headless=new".to_owned());
    }
    flags
}
