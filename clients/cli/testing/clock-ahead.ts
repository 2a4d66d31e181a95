// A clock that is an hour ahead, for one process.

const code = 'const real=Date.now;Date.now=()=>real()+3600000'

export const clockAhead = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
}
