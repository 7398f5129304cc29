//! HTTP/2: a few of the faults, as far as the protocol allows them.

use std::io::{self, Cursor};

use h2::server::SendResponse;
use h2::{Reason, SendStream, server};
use http::Response;
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

use super::log::ConnectionLog;

/// Requests of one connection.
const REQUESTS_MAX: usize = 1000;

type Body = Cursor<Vec<u8>>;

pub(super) async fn serve(stream: TlsStream<TcpStream>, log: &ConnectionLog) -> io::Result<()> {
    let mut connection = server::Builder::new()
        .handshake::<_, Body>(stream)
        .await
        .map_err(io::Error::other)?;
    for _ in 0..REQUESTS_MAX {
        let Some(asked) = connection.accept().await else {
            return Ok(());
        };
        let (request, respond) = asked.map_err(io::Error::other)?;
        let path = request.uri().path().to_owned();
        let headers = request
            .headers()
            .iter()
            .map(|(name, value)| format!("{name}: {}\r\n", value.to_str().unwrap_or("?")));
        let host = request.uri().authority().map(ToString::to_string).unwrap_or_default();
        log.asked(
            &path,
            &format!("GET {path} HTTP/2\r\nhost: {host}\r\n{}", headers.collect::<String>()),
        );
        // A stream that its client resets is none of our business.
        tokio::spawn(async move { drop(answer(&path, respond).await) });
    }
    Ok(())
}

async fn answer(path: &str, mut respond: SendResponse<Body>) -> Result<(), h2::Error> {
    let head = Response::builder().status(200).header("content-type", "text/html");
    let head = match path {
        "/headers/many" => (0..10_000).fold(head, |head, number| head.header(format!("x-{number}"), "value")),
        _ => head,
    };
    let mut stream = respond.send_response(head.body(()).expect("a head"), false)?;
    match path {
        "/endless" => return send_endless(&mut stream).await,
        "/reset" => {
            stream.send_data(Cursor::new(b"<p>Begin".to_vec()), false)?;
            // Time for the data to leave before the reset overtakes it.
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            stream.send_reset(Reason::INTERNAL_ERROR);
        }
        _ => stream.send_data(Cursor::new(b"<p>Hello over HTTP/2".to_vec()), true)?,
    }
    Ok(())
}

/// At most a gigabyte, as fast as the client takes it.
async fn send_endless(stream: &mut SendStream<Body>) -> Result<(), h2::Error> {
    for _ in 0..(1 << 16) {
        stream.reserve_capacity(16 << 10);
        let capacity = std::future::poll_fn(|context| stream.poll_capacity(context)).await;
        let Some(capacity) = capacity.transpose()? else {
            return Ok(());
        };
        stream.send_data(Cursor::new(vec![b'x'; capacity.min(16 << 10)]), false)?;
    }
    Ok(())
}
