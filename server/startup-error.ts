import { InvalidConfigError } from './config.ts'

/** The server prints the message without a stack, for the operator. */
export class StartupError extends Error {}

export const describeStartupError = (error: unknown): unknown =>
  error instanceof StartupError || error instanceof InvalidConfigError
    ? error.message
    : (describeMissingAccess(error) ?? error)

function describeMissingAccess(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, path } = error as NodeJS.ErrnoException
  if (path === undefined || (code !== 'EACCES' && code !== 'EPERM')) return undefined
  return `The current user cannot access ${path}: run this as its owner, or change its owner.`
}
