/** Why signing in or up failed, in Spanish, for a member. Loaded when it has failed. */
import { ApiError } from '#web/api/client.ts'

const sentences: Partial<Record<number, string>> = {
  0: 'No llegamos a Juntas. Comprueba tu conexión y vuelve a intentarlo.',
  400: 'Revisa lo que has escrito y vuelve a intentarlo.',
  401: 'El email o la contraseña no son correctos.',
  409: 'Revisa lo que has escrito y vuelve a intentarlo.',
  429: 'Demasiados intentos seguidos. Espera un rato y vuelve a intentarlo.',
}

/** Names what the member can do about it; what is the server's own fault sounds alike. */
export const getAuthErrorMessage = (error: unknown): string =>
  (error instanceof ApiError && sentences[error.code]) || 'Algo ha fallado. Vuelve a intentarlo.'
