//! Writes a demo site to a WARC file, packed record by record:
//! `cargo run --release --example warc -- FILE [PLAYERS]`.

use std::fs::File;
use std::io::{BufWriter, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use untemplate_demo::{DatabaseOptions, DemoSite, Skin, warc_records};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let file = arguments.first().ok_or("name a file to write to")?;
    let players = arguments.get(1).map_or(Ok(60), |players| players.parse())?;
    let site = DemoSite::new(DatabaseOptions { players, seed: 1 }, Skin::Modern);
    let mut writer = BufWriter::new(File::create(file)?);
    let (mut n_pages, mut n_bytes) = (0_usize, 0_usize);
    for record in warc_records(&site) {
        n_pages += 1;
        n_bytes += record.len();
        let mut packer = GzEncoder::new(&mut writer, Compression::fast());
        packer.write_all(&record)?;
        packer.finish()?;
    }
    writer.flush()?;
    println!("{n_pages} pages, {n_bytes} bytes");
    Ok(())
}
