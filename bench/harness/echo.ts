// The least that a server can do: answers each request with its own address, as JSON.

if (import.meta.main) {
  Bun.serve({
    hostname: '127.0.0.1',
    port: Number(process.argv[2]),
    fetch: request => Response.json({ url: request.url }),
  })
}
