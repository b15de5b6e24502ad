//! The MCP server on stdin and stdout. It only carries: arguments to the engine, texts to the client.
//!
//! `lines` is the transport, which answers what is not a message; `server` is the handler, which rmcp
//! drives. While stdin is open the server does not exit; at its end it answers what it accepted and ends
//! within two seconds.

mod lines;
mod server;

#[cfg(fuzzing)]
pub use lines::Lines;

use std::time::Duration;

use anyhow::Context;
use rmcp::ServiceExt;
use tokio::sync::watch;

use crate::tools::{Options, Surroundings};

/// After the end of stdin, running calls get this long before they are told to end with what they have, and
/// this long before they are answered without a result.
const HURRY: Duration = Duration::from_millis(700);
const GRACE: Duration = Duration::from_millis(1_100);
/// How long the last lines may take to be written once the session is over.
const FLUSH: Duration = Duration::from_millis(300);
/// After the end of stdin, the process ends at the latest.
const LAST: Duration = Duration::from_millis(1_800);

/// Serves until stdin ends. `surroundings` decide the root together with what the client offers;
/// `options` hold everything but the root.
pub fn serve(surroundings: Surroundings, options: Options) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("the server cannot start its threads")?;
    runtime.block_on(async {
        let (ended, input_ended) = watch::channel(false);
        let (transport, written) = lines::Lines::new(tokio::io::stdin(), tokio::io::stdout(), ended);
        let server = server::Server::new(surroundings, options, input_ended.clone());
        server.begin();
        let serving = async {
            // Before `initialize` the only way out is the end of stdin, which is no error.
            if let Ok(service) = server.serve(transport).await {
                let _ = service.waiting().await;
            }
            // A client that does not read its replies does not keep the server.
            let _ = tokio::time::timeout(FLUSH, written).await;
        };
        let mut input_ended = input_ended;
        let last = async {
            end_of(&mut input_ended).await;
            tokio::time::sleep(LAST).await;
        };
        tokio::select! { () = serving => {}, () = last => {} }
    });
    // A thread that is still at work, or waits for stdin, does not keep the process.
    runtime.shutdown_background();
    Ok(())
}

/// Waits for the end of stdin, or of the transport that reads it.
async fn end_of(input_ended: &mut watch::Receiver<bool>) {
    // An error means that the transport is gone, and so is the input.
    let _ = input_ended.wait_for(|ended| *ended).await;
}
