/** `npm run dev`: one address, the web with hot reload in front and the server, restarted on every change, behind it. */
import { spawn } from 'node:child_process'
import { readConfig } from '#server/config.ts'
import { freePort } from '#tests/server.ts'
import { root } from './tools.ts'

const { port } = readConfig(process.env)
const address = `http://localhost:${port}`
const serverPort = String(await freePort())
const node = ['--disable-warning=ExperimentalWarning']

const parts = [
  spawn(process.execPath, [...node, '--watch', '--watch-preserve-output', 'server/main.ts'], {
    cwd: root,
    env: { ...process.env, PORT: serverPort, PUBLIC_URL: process.env.PUBLIC_URL ?? address },
    stdio: 'inherit',
  }),
  spawn(
    process.execPath,
    [...node, 'node_modules/vite/bin/vite.js', '--port', String(port), '--strictPort', '--logLevel', 'warn'],
    { cwd: root, env: { ...process.env, API_URL: `http://localhost:${serverPort}` }, stdio: 'inherit' },
  ),
]

for (const part of parts) {
  part.on('exit', (code) => {
    for (const other of parts) other.kill('SIGTERM')
    process.exitCode ||= code ?? 0
  })
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    for (const part of parts) part.kill(signal)
  })
}
