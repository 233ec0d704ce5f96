/** All operator commands have strict arguments, and errors without a stack trace. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, InvalidConfigError, readConfig } from '#server/config.ts'
import { readSettings } from '#server/ops/settings-file.ts'
import { describeStartupError, StartupError } from '#server/startup-error.ts'

export type CommandArguments = {
  words: string[]
  flags: ReadonlySet<string>
  options: Readonly<Record<string, string>>
}

/**
 * @param command.usage one line for each form
 * @param command.flags options without a value @param command.options options with a value
 * @param command.work returns the exit code, by default 0
 */
export async function runOperatorCommand(command: {
  usage: readonly string[]
  flags?: readonly string[]
  options?: readonly string[]
  work(given: CommandArguments): Promise<number | undefined>
}): Promise<void> {
  const usage = `Usage:\n${command.usage.map((line) => `  ${line}`).join('\n')}`
  try {
    const given = parse(command, usage)
    if (given.flags.has('help')) console.log(usage)
    else process.exitCode = (await command.work(given)) ?? 0
  } catch (error) {
    console.error(error instanceof UsageError ? `${error.message}\n${usage}` : describeStartupError(error))
    process.exitCode = 1
  }
}

/** The command prints its usage below the message. */
export class UsageError extends StartupError {}

function parse(
  command: { flags?: readonly string[]; options?: readonly string[] },
  usage: string,
): CommandArguments {
  const typed = (names: readonly string[], type: 'boolean' | 'string') =>
    names.map((name) => [name, { type }] as const)
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: Object.fromEntries([
        ...typed([...(command.flags ?? []), 'help'], 'boolean'),
        ...typed(command.options ?? [], 'string'),
      ]),
    })
    const given = Object.entries(values)
    return {
      words: positionals,
      flags: new Set(given.filter(([, value]) => value === true).map(([name]) => name)),
      options: Object.fromEntries(
        given.filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
      ),
    }
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split('. ')
    throw new StartupError(`${sentence}.\n${usage}`)
  }
}

/** Describes the instance on standard error. @throws InvalidConfigError */
export function readInstanceConfig(): Config {
  const { values, file } = readSettings(process.env)
  const config = addFileTo(file, () => readConfig(values))
  console.error(describeInstance(config, file))
  return config
}

function addFileTo(file: string | null, read: () => Config): Config {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof InvalidConfigError) || !file) throw error
    throw new InvalidConfigError(error.problems, file)
  }
}

function describeInstance(config: Config, file: string | null): string {
  const url = config.databaseDirectUrl ?? config.databaseUrl
  const database = url ? new URL(url) : null
  const parts = [
    config.publicUrl,
    database ? `database ${database.host}${database.pathname}` : `database in ${config.dataDir}`,
    config.s3 && config.filesStore === 's3'
      ? `pictures in bucket ${config.s3.bucket} at ${config.s3.endpoint}`
      : `pictures in ${join(config.dataDir, 'files')}`,
    file ? `settings from ${file}` : 'settings from the environment alone',
  ]
  return `Instance: ${parts.filter(Boolean).join(', ')}.`
}
