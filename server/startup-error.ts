import { InvalidConfigError } from './config.ts'

/** The operator can fix it. Its one-sentence message is printed without a stack. */
export class StartupError extends Error {}

/** For an unexpected error, the whole error. */
export const describeStartupError = (error: unknown): unknown =>
  error instanceof StartupError || error instanceof InvalidConfigError
    ? error.message
    : (describeMissingAccess(error) ?? error)

/** For a file or folder that this operating-system user may not access. */
function describeMissingAccess(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, path } = error as NodeJS.ErrnoException
  if (path === undefined || (code !== 'EACCES' && code !== 'EPERM')) return undefined
  return `The current user cannot access ${path}: run this as its owner, or change its owner.`
}
