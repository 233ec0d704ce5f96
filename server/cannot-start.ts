import { BadSettings } from './config.ts'

/** A start that cannot go on for a reason the operator can change. The message is one sentence for her, no stack. */
export class CannotStart extends Error {}

/** What to print of the error that ends a program: the sentence when there is one, else all that is known. */
export const lastWords = (error: unknown): unknown =>
  error instanceof CannotStart || error instanceof BadSettings ? error.message : error
