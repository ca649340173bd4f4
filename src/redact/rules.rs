//! The tokens that are known by their shape: public facts of their issuers' formats.

use super::class::{ALNUM, BASE64, Class, DOTTED, HEX, TOKEN, UPPER_DIGIT, WORD};

/// A kind of token: one of these beginnings, then so many characters of a class.
#[derive(Debug)]
pub(super) struct Row {
    /// What the placeholder calls it.
    pub(super) name: &'static str,
    pub(super) literals: &'static [&'static str],
    pub(super) body: Class,
    /// The least and the most characters behind the beginning. A longer run is another thing.
    pub(super) least: usize,
    pub(super) most: usize,
    pub(super) more: More,
}

/// What must be true besides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum More {
    Nothing,
    /// A word of letters alone is none.
    Random,
    /// At least two parts with a dot between them, each of some length.
    Parts,
    /// A bot's number stands in front.
    BehindNumber,
    /// It is the path of a URL.
    Path,
    /// A parameter of a URL.
    Parameter,
}

/// No limit: the run is taken to its end, or up to what a header can hold.
pub(super) const LONG: usize = 8 << 10;

const fn row(
    name: &'static str,
    literals: &'static [&'static str],
    (body, least, most): (Class, usize, usize),
    more: More,
) -> Row {
    Row { name, literals, body, least, most, more }
}

use More::{BehindNumber, Nothing, Parameter, Parts, Path, Random};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    row("github-token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], (WORD, 30, LONG), Random),
    row("github-token", &["github_pat_"], (WORD, 36, LONG), Random),
    row("gitlab-token", &["glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-",
        "glimt-", "glagent-", "gloas-", "glffct-"], (DOTTED, 18, LONG), Random),
    row("aws-key-id", &["AKIA", "ASIA", "ABIA", "ACCA"], (UPPER_DIGIT, 16, 16), Random),
    row("google-api-key", &["AIza"], (TOKEN, 35, 35), Nothing),
    row("google-oauth-token", &["ya29."], (DOTTED, 20, LONG), Nothing),
    row("google-oauth-secret", &["GOCSPX-"], (TOKEN, 24, 40), Nothing),
    row("google-refresh-token", &["1//0"], (TOKEN, 40, LONG), Random),
    row("slack-token", &["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxe-", "xoxe.xox", "xoxc-",
        "xoxd-", "xapp-"], (Class::of(b"A-Za-z0-9%_.-"), 16, LONG), Random),
    row("slack-webhook", &["hooks.slack.com/services/", "hooks.slack.com/workflows/",
        "hooks.slack.com/triggers/"], (BASE64, 24, LONG), Path),
    row("discord-webhook", &["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
        (BASE64, 40, LONG), Path),
    row("stripe-key", &["sk_live_", "rk_live_", "sk_test_", "rk_test_"], (ALNUM, 16, LONG), Random),
    row("webhook-secret", &["whsec_"], (BASE64, 20, LONG), Random),
    row("anthropic-key", &["sk-ant-"], (TOKEN, 24, LONG), Random),
    row("openrouter-key", &["sk-or-v1-"], (ALNUM, 32, LONG), Random),
    row("openai-key", &["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"], (TOKEN, 24, LONG), Random),
    row("api-key", &["sk-"], (ALNUM, 30, LONG), Random),
    row("npm-token", &["npm_"], (ALNUM, 36, 36), Random),
    row("pypi-token", &["pypi-Ag", "pypi-AgE"], (TOKEN, 50, LONG), Random),
    row("rubygems-key", &["rubygems_"], (HEX, 48, 48), Random),
    row("crates-io-token", &["cio"], (ALNUM, 32, 32), Random),
    row("huggingface-token", &["hf_", "api_org_"], (ALNUM, 30, 60), Nothing),
    row("digitalocean-token", &["dop_v1_", "doo_v1_", "dor_v1_"], (HEX, 64, 64), Nothing),
    row("sendgrid-key", &["SG."], (DOTTED, 50, 90), Parts),
    row("supabase-key", &["sbp_", "sb_secret_", "sbp_oauth_"], (TOKEN, 24, LONG), Random),
    row("vault-token", &["hvs.", "hvb.", "hvr."], (TOKEN, 24, LONG), Nothing),
    row("groq-key", &["gsk_"], (ALNUM, 40, LONG), Random),
    row("xai-key", &["xai-"], (ALNUM, 60, LONG), Random),
    row("ai-service-key", &["pplx-", "nvapi-", "tvly-", "lsv2_pt_", "lsv2_sk_", "pcsk_", "tgp_v1_"],
        (TOKEN, 24, LONG), Random),
    row("ai-service-key", &["csk-", "r8_", "fw_", "jina_", "key_"], (ALNUM, 24, LONG), Random),
    row("sentry-token", &["sntrys_", "sntryu_"], (Class::of(b"A-Za-z0-9+/=_-"), 40, LONG), Random),
    row("grafana-token", &["glc_", "glsa_"], (BASE64, 32, LONG), Random),
    row("shopify-token", &["shpat_", "shpca_", "shppa_", "shpss_"], (HEX, 32, 32), Nothing),
    row("telegram-token", &[":AA"], (TOKEN, 33, 33), BehindNumber),
    row("age-key", &["AGE-SECRET-KEY-1"], (UPPER_DIGIT, 58, 58), Nothing),
    row("jwt", &["eyJ"], (DOTTED, 30, LONG), Parts),
    row("databricks-token", &["dapi"], (Class::of(b"0-9a-f-"), 32, 34), Random),
    row("doppler-token", &["dp.pt.", "dp.st.", "dp.sa.", "dp.ct."], (DOTTED, 32, LONG), Nothing),
    row("work-tool-token", &["lin_api_", "lin_oauth_", "ntn_", "figd_", "ATATT3", "ATCTT3", "ATBB", "PMAK-",
        "tfp_", "rdme_", "shippo_live_", "shippo_test_"], (Class::of(b"A-Za-z0-9=_-"), 28, LONG), Random),
    row("cloud-token", &["tskey-", "pscale_tkn_", "pscale_pw_", "pscale_oauth_", "dckr_pat_", "dckr_oat_",
        "ops_eyJ", "dt0c01.", "EAACEdEose0cBA"], (Class::of(b"A-Za-z0-9+/=_.-"), 20, LONG), Random),
    row("cloud-token", &["pul-", "fo1_", "fm2_", "nfp_", "vcp_", "CCIPAT_", "bkua_", "rnd_", "LTAI", "pnu_",
        "NRAK-", "AKCp", "ico-", "HRKU-"], (WORD, 24, LONG), Random),
    row("square-token", &["sq0csp-", "sq0atp-", "sq0idp-", "EAAAE"], (TOKEN, 22, LONG), Random),
    row("twilio-key", &["SK"], (Class::of(b"0-9a-f"), 32, 32), Random),
    row("mail-service-key", &["key-", "xkeysib-"], (Class::of(b"0-9a-f-"), 32, LONG), Random),
    row("terraform-token", &["atlasv1."], (TOKEN, 60, LONG), Nothing),
    row("mapbox-token", &["sk.eyJ"], (DOTTED, 60, LONG), Random),
    row("dropbox-token", &["sl.u.", "sl.B"], (TOKEN, 60, LONG), Random),
    row("azure-sas", &["sig="], (Class::of(b"A-Za-z0-9%+/=_-"), 40, LONG), Parameter),
];
