/** Running the tools among the packages on the Node that runs us: their own first lines would take the outer one. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')
/** Where runs leave what they write. */
export const cacheFolder = join(root, '.cache')

export type Outcome = { status: number; output: string }

/** @param name a program of `package`, e.g. `tsc` of `typescript`. @param options.show prints while it runs. */
export function runTool(
  packageName: string,
  name: string,
  args: string[],
  options: { show?: boolean; env?: Record<string, string> } = {},
): Promise<Outcome> {
  const home = join(root, 'node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>
  }
  const path = typeof bin === 'string' ? bin : bin[name]
  if (!path) throw new Error(`${packageName} has no program ${name}`)
  return run(process.execPath, [join(home, path), ...args], options)
}

/** Runs a program from the root of the project and keeps what it printed. */
export function run(
  program: string,
  args: string[],
  options: { show?: boolean; env?: Record<string, string> } = {},
): Promise<Outcome> {
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', options.show ? 'inherit' : 'pipe', options.show ? 'inherit' : 'pipe'],
    shell: process.platform === 'win32' && program === 'npm',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ status: 1, output: String(error) }))
    child.on('close', (code) => resolve({ status: code ?? 1, output }))
  })
}
