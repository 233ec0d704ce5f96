/** `npm run dev` reloads the web app and restarts the server when their sources change. */
import { spawn } from 'node:child_process'
import { readConfig } from '#server/config.ts'
import { readSettings } from '#server/ops/settings-file.ts'
import { findFreePort } from './harness/server-process.ts'
import { projectRootPath } from './run-tool.ts'

const { port } = readConfig(readSettings(process.env).values)
const address = `http://localhost:${port}`
const serverPort = String(await findFreePort())

const parts = [
  spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/main.ts'], {
    cwd: projectRootPath,
    env: { ...process.env, PORT: serverPort, PUBLIC_URL: process.env.PUBLIC_URL ?? address },
    stdio: 'inherit',
  }),
  spawn(
    process.execPath,
    ['node_modules/vite/bin/vite.js', '--port', String(port), '--strictPort', '--logLevel', 'warn'],
    {
      cwd: projectRootPath,
      env: { ...process.env, API_URL: `http://localhost:${serverPort}` },
      stdio: 'inherit',
    },
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
