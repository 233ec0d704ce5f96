import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startServer } from '#scripts/harness/server-process.ts'

export type RunningBenchProcess = AsyncDisposable & { url: string; pid: number }

const running = new Set<number>()
process.on('exit', () => {
  for (const pid of running) {
    try {
      process.kill(pid)
    } catch {}
  }
})

function watched(url: string, pid: number, stop: () => Promise<unknown>): RunningBenchProcess {
  running.add(pid)
  return {
    url,
    pid,
    async [Symbol.asyncDispose]() {
      await stop()
      running.delete(pid)
    },
  }
}

/** Uses the command of `npm start`, on the given database or on the embedded one in `env`'s DATA_DIR. */
export async function startProductServer(
  databaseUrl: string | null,
  { DATA_DIR: dataDir, ...env }: Record<string, string> = {},
): Promise<RunningBenchProcess> {
  const server = await startServer({
    by: 'built',
    dataDir,
    env: { LIMITS: 'off', ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }), ...env },
  })
  return watched(server.url, server.pid, server.stop)
}

/** The program prints its address when it listens. */
export const startBenchProgram = (
  script: string,
  env: Record<string, string>,
): Promise<RunningBenchProcess> => startNodeScript([script], env)

/** @param args for Node; the program prints its address when it listens */
export async function startNodeScript(
  args: string[],
  env: Record<string, string> = {},
): Promise<RunningBenchProcess> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await Promise.race([
    once(child.stdout, 'data') as Promise<[Buffer]>,
    once(child, 'exit').then(([code]) => {
      throw new Error(`${args.at(-1)} ended with ${code}`)
    }),
  ])
  return watched(String(line).trim(), child.pid as number, async () => {
    if (child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  })
}
