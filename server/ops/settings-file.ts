import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { InvalidConfigError } from '../config.ts'

type Environment = Record<string, string | undefined>

export type EnvironmentSettings = {
  values: Environment
  file: string | null
}

const defaultFile = join(import.meta.dirname, '..', '..', '.env')

/**
 * Reads JUNTAS_ENV_FILE, or else `.env` beside package.json. Environment variables override the file's
 * values, even empty ones.
 * @throws InvalidConfigError if the named file is unreadable
 */
export function readSettings(environment: Environment): EnvironmentSettings {
  const named = environment.JUNTAS_ENV_FILE
  if (named === 'off') return { values: environment, file: null }
  const file = named || defaultFile
  if (!named && !existsSync(file)) return { values: environment, file: null }
  return { values: { ...parseEnv(readFile(file)), ...environment }, file }
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new InvalidConfigError([
      code === 'EACCES'
        ? `JUNTAS_ENV_FILE: this account may not read ${file}`
        : `JUNTAS_ENV_FILE: ${file} cannot be read (${code})`,
    ])
  }
}
