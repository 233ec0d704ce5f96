import { en } from '#contract/language.ts'
import { ApiError } from './client.ts'

type Wait = { english: string; spanish: string }

const inUnit = (count: number, english: string, spanish: string): Wait => {
  const plural = count === 1 ? '' : 's'
  return { english: `${count} ${english}${plural}`, spanish: `${count} ${spanish}${plural}` }
}

/** Undefined if the server gives no delay. */
export function readRetryAfter(error: unknown): Wait | undefined {
  const seconds = error instanceof ApiError ? (error.retryAfter ?? 0) : 0
  if (!(seconds > 0)) return undefined
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? inUnit(minutes, 'minute', 'minuto') : inUnit(Math.ceil(minutes / 60), 'hour', 'hora')
}

export function describeTooManyAttempts(error: unknown): string {
  const wait = readRetryAfter(error)
  return wait
    ? en(
        `Too many attempts. Try again in ${wait.english}.`,
        `Demasiados intentos. Prueba dentro de ${wait.spanish}.`,
      )
    : en('Too many attempts. Try again in a while.', 'Demasiados intentos. Prueba dentro de un rato.')
}
