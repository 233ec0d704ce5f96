/** Programs run with the current Node, because their shebangs would use the Node on the PATH. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const projectRootPath = join(import.meta.dirname, '..')
export const toolCacheFolder = join(projectRootPath, '.cache')

export type ProgramOutcome = { status: number; output: string }

/**
 * @param name for example `tsc` of `typescript`
 * @param options.show prints the output while the program runs
 */
export function runPackageProgram(
  packageName: string,
  name: string,
  args: string[],
  options: { show?: boolean; env?: Record<string, string> } = {},
): Promise<ProgramOutcome> {
  const home = join(projectRootPath, 'node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>
  }
  const path = typeof bin === 'string' ? bin : bin[name]
  if (!path) throw new Error(`${packageName} has no program ${name}`)
  return runProgram(process.execPath, [join(home, path), ...args], options)
}

/** Captures the output. The default folder is the project's root. */
export function runProgram(
  program: string,
  args: string[],
  options: { show?: boolean; env?: Record<string, string>; cwd?: string } = {},
): Promise<ProgramOutcome> {
  const child = spawn(program, args, {
    cwd: options.cwd ?? projectRootPath,
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
