import { InvalidConfigError } from './config.ts'

/** A startup failure that the operator can fix. Its one-sentence message is printed without a stack. */
export class StartupError extends Error {}

/** Returns what to print: an expected error's message, else the whole error. */
export const describeStartupError = (error: unknown): unknown =>
  error instanceof StartupError || error instanceof InvalidConfigError ? error.message : error
