// The minimum work for a server: responding to each request with its URL as JSON.

if (import.meta.main) {
  Bun.serve({
    hostname: '127.0.0.1',
    port: Number(process.argv[2]),
    fetch: request => Response.json({ url: request.url }),
  })
}
