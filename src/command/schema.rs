//! Prints the format's schema.

use std::io::{self, Write as _};

use crate::cli::{SchemaArgs, SchemaLanguage};
use crate::exit::{DONE, Exit};
use crate::schema;

pub(super) fn run(args: &SchemaArgs) -> anyhow::Result<Exit> {
    let text = match args.language {
        SchemaLanguage::Json => schema::json_schema(),
        SchemaLanguage::Typescript => schema::typescript(),
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(Exit(DONE))
}
