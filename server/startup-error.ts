import { InvalidConfigError } from './config.ts'

/** Stops the start for a reason the operator can change. The message is one sentence for the operator, printed without a stack. */
export class StartupError extends Error {}

/** Returns what to print of the error that ended a program: the message of an expected one, else the whole error. */
export const describeStartupError = (error: unknown): unknown =>
  error instanceof StartupError || error instanceof InvalidConfigError ? error.message : error
