//! Rebuilds the database of a mirrored site without the program: `rebuild_mirror URL DIR OUT`
//! answers requests under URL from the files in DIR, and writes the tables to OUT.

use std::error::Error;
use std::path::Path;

use untemplate::job::{JobOptions, read_site};
use untemplate::page::ParseOptions;
use untemplate_store::table_file::TableFormat;
use untemplate_store::{DiskRecordStore, JobContents, JobFolder, Mirror, Reach, SourceSite};

/// The most bytes of one page.
const BYTES_MAX: u64 = 16 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, mirror, out] = arguments.as_slice() else {
        return Err("give an address, the folder of its mirror, and a folder for the tables".into());
    };
    // Page sources are asked in turn; `WarcArchive`, `KeptSource` and the live web of
    // `untemplate-crawl` are others.
    let mirror = Mirror::open(url, Path::new(mirror), BYTES_MAX)?;
    let mut site = SourceSite::new(vec![Box::new(mirror)], ParseOptions::default());
    // Records wait here until it is known what their columns are.
    let mut record_store = DiskRecordStore::create(Path::new(out))?;
    let crawl_result = read_site(&mut site, &mut record_store, &url.parse()?, &JobOptions::default())?;
    let folder = JobFolder {
        folder: out.into(),
        formats: vec![TableFormat::Csv],
        server: None,
        schema: Default::default(),
        entry: Some(url.parse()?),
    };
    let contents = JobContents::of_crawl(&crawl_result, Reach::Complete);
    match folder.write(contents, &mut record_store)? {
        Some(written) => {
            for (table, n_rows) in written.database.tables.iter().zip(&written.n_rows) {
                println!("{n_rows:7} rows  {}", table.name);
            }
        }
        None => println!("no row was found; the tables of an earlier job stay"),
    }
    println!("{} downloads", site.figures.downloads);
    Ok(())
}
