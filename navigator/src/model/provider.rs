//! The table of providers: addresses, wire formats, and the environment variables of keys.

use crate::error::Error;
use crate::model::wire::{SchemaForm, Wire};

/// A service that serves models.
#[derive(Debug, PartialEq, Eq)]
pub struct Provider {
    /// The word before the slash in `--model`.
    pub name: &'static str,
    /// The address for which the listed prices hold.
    pub base_url: &'static str,
    /// The wire format.
    pub wire: Wire,
    /// The environment variables that may hold the key, by precedence. Empty for self-hosted
    /// servers.
    pub keys: &'static [&'static str],
    /// The strictest form of JSON output that the server supports.
    pub(super) form: SchemaForm,
}

const fn provider(
    name: &'static str,
    base_url: &'static str,
    wire: Wire,
    keys: &'static [&'static str],
    form: SchemaForm,
) -> Provider {
    Provider { name, base_url, wire, keys, form }
}

/// Every known provider.
pub const PROVIDERS: &[Provider] = &[
    provider(
        "anthropic",
        "https://api.anthropic.com/v1",
        Wire::Messages,
        &["ANTHROPIC_API_KEY"],
        SchemaForm::Schema,
    ),
    provider(
        "openai",
        "https://api.openai.com/v1",
        Wire::Responses,
        &["OPENAI_API_KEY"],
        SchemaForm::Schema,
    ),
    provider(
        "google",
        "https://generativelanguage.googleapis.com/v1beta",
        Wire::Gemini,
        &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        SchemaForm::Schema,
    ),
    provider(
        "deepseek",
        "https://api.deepseek.com/v1",
        Wire::Chat,
        &["DEEPSEEK_API_KEY"],
        SchemaForm::Object,
    ),
    provider(
        "mistral",
        "https://api.mistral.ai/v1",
        Wire::Chat,
        &["MISTRAL_API_KEY"],
        SchemaForm::Schema,
    ),
    provider(
        "groq",
        "https://api.groq.com/openai/v1",
        Wire::Chat,
        &["GROQ_API_KEY"],
        SchemaForm::Schema,
    ),
    provider("xai", "https://api.x.ai/v1", Wire::Chat, &["XAI_API_KEY"], SchemaForm::Schema),
    provider(
        "moonshot",
        "https://api.moonshot.ai/v1",
        Wire::Chat,
        &["MOONSHOT_API_KEY"],
        SchemaForm::Object,
    ),
    provider(
        "zai",
        "https://api.z.ai/api/paas/v4",
        Wire::Chat,
        &["ZAI_API_KEY"],
        SchemaForm::Object,
    ),
    provider(
        "alibaba",
        "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        Wire::Chat,
        &["DASHSCOPE_API_KEY"],
        SchemaForm::Object,
    ),
    provider(
        "openrouter",
        "https://openrouter.ai/api/v1",
        Wire::Chat,
        &["OPENROUTER_API_KEY"],
        SchemaForm::Schema,
    ),
    provider("ollama", "http://127.0.0.1:11434", Wire::Ollama, &[], SchemaForm::Schema),
    provider("llamacpp", "http://127.0.0.1:8080/v1", Wire::Chat, &[], SchemaForm::Schema),
    provider("lmstudio", "http://127.0.0.1:1234/v1", Wire::Chat, &[], SchemaForm::Schema),
    provider("vllm", "http://127.0.0.1:8000/v1", Wire::Chat, &[], SchemaForm::Schema),
];

/// The key variable for a server other than the vendor's.
pub(super) const OWN_KEY: &str = "NAVIGATOR_API_KEY";

impl Provider {
    /// Finds a provider by name.
    ///
    /// # Errors
    /// [`Error::UnknownModel`], which lists the known names.
    pub fn named(name: &str) -> Result<&'static Provider, Error> {
        PROVIDERS.iter().find(|provider| provider.name == name).ok_or_else(|| {
            let names: Vec<&str> = PROVIDERS.iter().map(|provider| provider.name).collect();
            Error::UnknownModel {
                message: format!("`{name}` is not a provider (there are {})", names.join(", ")),
            }
        })
    }

    /// Reports whether the provider is self-hosted: it needs no key.
    pub fn is_local(&self) -> bool {
        self.keys.is_empty()
    }
}
