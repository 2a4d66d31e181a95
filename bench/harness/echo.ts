// The least work a server can do: it responds to each request with the request's URL as JSON.

if (import.meta.main) {
  Bun.serve({
    hostname: '127.0.0.1',
    port: Number(process.argv[2]),
    fetch: request => Response.json({ url: request.url }),
  })
}
