import { expect, test } from 'vitest'
import { ApiError } from '#web/api/client.ts'
import { getAuthErrorMessage } from './auth-error-message.tsx'

test.each([
  [new ApiError('Invalid credentials', 401), 'El email o la contraseña no son correctos.'],
  [
    new ApiError('Rate limit exceeded', 429),
    'Demasiados intentos seguidos. Espera un rato y vuelve a intentarlo.',
  ],
  [
    Object.assign(new ApiError('Rate limit exceeded', 429), { retryAfter: 125 }),
    'Demasiados intentos seguidos. Vuelve a intentarlo dentro de 3 minutos.',
  ],
  [
    new ApiError('Network request failed'),
    'No llegamos a Juntas. Comprueba tu conexión y vuelve a intentarlo.',
  ],
  [new ApiError('Server Error', 500), 'Algo ha fallado. Vuelve a intentarlo.'],
  [new TypeError('x is not a function'), 'Algo ha fallado. Vuelve a intentarlo.'],
])('SIN-13 the form shows %s in Spanish', (error, sentence) => {
  expect(getAuthErrorMessage(error)).toBe(sentence)
})
