//! Made secrets of every kind, the same for the same seed. None is written down anywhere: the
//! repository must hold nothing that looks like one.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::indexing_slicing,
    clippy::type_complexity,
    clippy::too_many_lines,
    reason = "tests of the library and of the command take what they need"
)]

/// A made secret and a text that holds it.
#[derive(Debug, Clone)]
pub struct Made {
    pub kind: &'static str,
    /// Where it stands, as people write it.
    pub text: String,
    /// What must not be seen.
    pub secret: String,
}

pub struct Corpus(fastrand::Rng);

const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const LOWER: &str = "abcdefghijklmnopqrstuvwxyz0123456789";
const HEX: &str = "0123456789abcdef";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
const PASSWORD: &str = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789!#%^*+~";

impl Corpus {
    pub fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    pub fn of(&mut self, letters: &str, length: usize) -> String {
        let letters: Vec<char> = letters.chars().collect();
        let mut text: String =
            (0..length).map(|_| letters[self.0.usize(..letters.len())]).collect();
        // What is random now and then has no digit at all: that is another test's matter.
        if letters.contains(&'7') && length > 8 {
            let at = self.0.usize(1..length - 1);
            text.replace_range(at..=at, "7");
        }
        // Nor does one end in a way that a sentence could.
        if !text.ends_with(|c: char| c.is_ascii_alphanumeric()) {
            text.pop();
            text.push('k');
        }
        text
    }

    pub fn range(&mut self, range: std::ops::Range<usize>) -> usize {
        self.0.usize(range)
    }

    fn token(&mut self, kind: &'static str, parts: &[&str], letters: &str, length: usize) -> Made {
        let secret = format!("{}{}", parts.concat(), self.of(letters, length));
        Made { kind, text: secret.clone(), secret }
    }

    fn within(kind: &'static str, before: &str, secret: String, after: &str) -> Made {
        Made { kind, text: format!("{before}{secret}{after}"), secret }
    }

    /// One of each kind.
    pub fn every_kind(&mut self) -> Vec<Made> {
        let mut all = Vec::new();
        for (kind, parts, letters, length) in [
            ("github-token", ["gh", "p_"], ALNUM, 36),
            ("github-token", ["gh", "s_"], ALNUM, 36),
            ("github-token", ["github_", "pat_"], ALNUM, 82),
            ("gitlab-token", ["glp", "at-"], URL, 20),
            ("aws-key-id", ["AK", "IA"], UPPER, 16),
            ("google-api-key", ["AI", "za"], URL, 35),
            ("google-oauth-secret", ["GOC", "SPX-"], URL, 28),
            ("stripe-key", ["sk_", "live_"], ALNUM, 24),
            ("stripe-key", ["rk_", "live_"], ALNUM, 24),
            ("webhook-secret", ["wh", "sec_"], ALNUM, 32),
            ("anthropic-key", ["sk-", "ant-api03-"], URL, 95),
            ("openai-key", ["sk-", "proj-"], URL, 120),
            ("api-key", ["sk", "-"], ALNUM, 48),
            ("openrouter-key", ["sk-", "or-v1-"], HEX, 64),
            ("npm-token", ["np", "m_"], ALNUM, 36),
            ("pypi-token", ["py", "pi-AgEI"], URL, 120),
            ("huggingface-token", ["h", "f_"], ALNUM, 34),
            ("digitalocean-token", ["dop", "_v1_"], HEX, 64),
            ("supabase-key", ["sb", "p_"], HEX, 40),
            ("vault-token", ["hv", "s."], URL, 90),
            ("groq-key", ["gs", "k_"], ALNUM, 52),
            ("xai-key", ["xa", "i-"], ALNUM, 80),
            ("sentry-token", ["sntr", "ys_"], BASE64, 60),
            ("grafana-token", ["gl", "sa_"], ALNUM, 41),
            ("shopify-token", ["shp", "at_"], HEX, 32),
            ("age-key", ["AGE-SECRET", "-KEY-1"], UPPER, 58),
            ("databricks-token", ["da", "pi"], HEX, 32),
            ("work-tool-token", ["lin_", "api_"], ALNUM, 40),
            ("cloud-token", ["dckr_", "pat_"], URL, 27),
            ("twilio-key", ["S", "K"], HEX, 32),
        ] {
            all.push(self.token(kind, &parts, letters, length));
        }
        let slack = format!(
            "{}{}-{}-{}",
            ["xo", "xb-"].concat(),
            self.of("0123456789", 12),
            self.of("0123456789", 12),
            self.of(ALNUM, 24)
        );
        all.push(Made { kind: "slack-token", text: slack.clone(), secret: slack });
        let sendgrid = format!("{}{}.{}", ["S", "G."].concat(), self.of(URL, 22), self.of(URL, 43));
        all.push(Made { kind: "sendgrid-key", text: sendgrid.clone(), secret: sendgrid });
        let jwt = format!(
            "{}{}.{}{}.{}",
            ["ey", "J"].concat(),
            self.of(URL, 33),
            ["ey", "J"].concat(),
            self.of(URL, 60),
            self.of(URL, 43)
        );
        all.push(Made { kind: "jwt", text: jwt.clone(), secret: jwt });
        let bot = format!("{}{}", ["A", "A"].concat(), self.of(URL, 33));
        let number = self.of("123456789", 10);
        all.push(Self::within("telegram-token", &format!("{number}:"), bot, ""));
        let hook = format!("T{}/B{}/{}", self.of(UPPER, 9), self.of(UPPER, 9), self.of(ALNUM, 24));
        all.push(Self::within(
            "slack-webhook",
            &["https://hooks.sl", "ack.com/services/"].concat(),
            hook,
            "",
        ));
        let sas = format!("{}%3D", self.of(ALNUM, 43));
        all.push(Self::within(
            "azure-sas",
            "https://x.blob.core.windows.net/c/f?sv=2024-01-01&sp=r&sig=",
            sas,
            "&se=2030",
        ));
        for label in ["RSA ", "OPENSSH ", "EC ", ""] {
            let mark = |word: &str| format!("-----{word} {label}PRIV{}-----", "ATE KEY");
            let lines: Vec<String> = (0..6).map(|_| self.of(BASE64, 64)).collect();
            let body = format!("{}\n{}==", lines.join("\n"), self.of(BASE64, 22));
            all.push(Self::within(
                "private-key",
                &format!("{}\n", mark("BEGIN")),
                body,
                &format!("\n{}\n", mark("END")),
            ));
        }
        for (before, after) in [
            ("postgres://app:", "@db.example.com:5432/app?sslmode=require"),
            ("mysql://root:", "@127.0.0.1/x"),
            ("mongodb+srv://u:", "@cluster0.mongodb.net"),
            ("redis://:", "@cache:6379/0"),
            ("https://deploy:", "@git.example.com/x.git"),
        ] {
            let secret = self.of(ALNUM, 18);
            all.push(Self::within("url-password", before, secret, after));
        }
        for (before, after) in [
            ("curl -H \"Authorization: Bearer ", "\" https://x.example"),
            ("authorization: token ", "\nhost: x"),
            ("Bearer ", " is what it sent"),
        ] {
            let secret = self.of(ALNUM, 40);
            all.push(Self::within("authorization", before, secret, after));
        }
        let pair = base64(format!("admin:{}", self.of(ALNUM, 16)).as_bytes());
        all.push(Self::within("authorization", "Authorization: Basic ", pair.clone(), "\r\n"));
        all.push(Self::within(
            "docker-auth",
            "{\"auths\":{\"registry.example.com\":{\"auth\":\"",
            pair,
            "\"}}}",
        ));
        let cookie = format!("session={}; theme=dark", self.of(ALNUM, 32));
        all.push(Self::within("cookie", "Cookie: ", cookie, "\n"));
        for (before, after) in [
            (
                "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=",
                ";EndpointSuffix=core.windows.net",
            ),
            ("aws_secret_access_key = ", "\n"),
            ("\"SecretAccessKey\": \"", "\","),
            ("client-key-data: ", "\n"),
        ] {
            let secret = self.of(BASE64, 40).replace('/', "+");
            all.push(Self::within("key", before, secret, after));
        }
        for (before, after) in [
            ("DB_PASSWORD=", "\nPORT=80\n"),
            ("export SMTP_PASS='", "'"),
            ("Server=db;User Id=sa;Password=", ";Encrypt=true"),
            ("password: ", "\n"),
            ("machine api.example.com login bot password ", "\n"),
            ("mysqldump --password=", " app"),
            ("<password>", "</password>"),
            ("{\"name\": \"DB_PASSWORD\", \"value\": \"", "\"}"),
        ] {
            let secret = self.of(PASSWORD, 16);
            all.push(Self::within("password", before, secret, after));
        }
        for (before, after) in [
            ("//registry.npmjs.org/:_authToken=", "\n"),
            ("{\"access_token\":\"", "\",\"expires_in\":3600}"),
            ("x-api-key: ", "\n"),
            ("https://api.example.com/v1?api_key=", "&q=1"),
            ("const apiKey = \"", "\";"),
            ("NEXT_SECRET: '", "'"),
            ("tool --token ", " run"),
            ("SENTRY_KEY=", "\n"),
        ] {
            let secret = self.of(LOWER, 32);
            all.push(Self::within("token", before, secret, after));
        }
        all
    }
}

pub fn base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::prelude::BASE64_STANDARD.encode(bytes)
}

/// What looks like a secret and is none.
pub const HARMLESS: &[&str] = &[
    "let token = tokenizer.next_token();",
    "start_token = input.checkpoint()",
    "const password = process.env.DB_PASSWORD;",
    "password = getpass.getpass('Password: ')",
    "API_KEY=${API_KEY}",
    "API_KEY=$OPENAI_API_KEY2 make run",
    "api_key: <your-api-key-1>",
    "apiKey: \"YOUR_API_KEY_HERE\"",
    "password: changeme",
    "token: string; secret?: string1 | undefined",
    "TOKEN=xxxxxxxxxxxxxxxx1",
    "max_tokens: 128000, \"inputTokens\": 1234567890",
    "\"token_count\": 123456789, \"tokens_per_second\": 12.345678",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "id toolu_01A09q90qw90lq917835lq9 msg_01XFDUDYJgAACzvnptvVoYEL 550e8400-e29b-41d4-a716-446655440000",
    "\"integrity\": \"sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==\"",
    "https://user:password@example.com/ and postgres://postgres:postgres@localhost/x",
    "https://registry.npmjs.org/@scope/name http://localhost:3000/@vite/client",
    "scp user@host:/tmp/file1 . && ssh -p 2222 git@github.com:x/y.git",
    "the secret of monkey island 2, and a password is 8 characters",
    "if (s.startsWith(\"-----BEGIN RSA PRIVATE KEY-----\")) return",
    "task-runner-with-a-long-name-2024 desk-lamp-and-some-more-words-for-it",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer <token>",
    "cookie: ${cookie1}",
    "SECRET_FILE=/run/secrets/app1 TOKEN_URL=https://x.example/oauth2/token1",
    "user.token2 = compute_token2(seed1)",
    "secret = b64decode(data[1:20])",
    "password=[redacted:password:12ab]",
    "primary_key: user_id_0001, cache_key: abc123def456ghi789",
    "npm_config_registry=https://registry.npmjs.org npm_lifecycle_event=build",
    "token_type: bearer2, token expires: 2026-11-30T11:31:37Z",
    "PWD=/home/user1/src OLDPWD=/home/user1",
];
