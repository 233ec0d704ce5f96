import { en } from '#contract/language.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'

export const getLikeOrSaveErrorMessage = (): string =>
  navigator.onLine
    ? genericErrorMessage
    : en('You’re offline. Please try again when you’re back.', 'Estás sin conexión. Inténtalo cuando vuelva.')
