import { describe, expect, test } from 'vitest'
import { ApiError } from './client.ts'
import { getErrorMessage } from './error-message.ts'

describe('error messages', () => {
  const body = (message: string, type: string) => new ApiError(message, 409, type, { message, type })

  test("GRP-21 an error shows the server's message, marked as Spanish if it is Spanish", () => {
    expect(getErrorMessage(body('Ya eres miembro de este grupo', 'group_already_member'), 'ours')).toEqual({
      text: 'Ya eres miembro de este grupo',
      textLang: 'es',
    })
    expect(getErrorMessage(body('Group not found', 'group_not_found'), 'ours')).toEqual({
      text: 'Group not found',
    })
  })

  test.each([
    ['Ya pediste una revisión', 'appeal_exists', 'es'],
    ['Rate limit exceeded', 'general_rate_limit_exceeded', undefined],
  ])('MOD-18 “%s” is marked with its own language', (text, type, textLang) => {
    expect(getErrorMessage(body(text, type))).toEqual(textLang ? { text, textLang } : { text })
  })

  test("GRP-20 an error shows the app's own message for a missing response, a masked server error or a proxy page", () => {
    for (const error of [
      new ApiError('Network request failed'),
      new ApiError('Server Error', 500, 'general_unknown', { message: 'Server Error' }),
      new ApiError('Server Error', 503, 'general_unavailable', { message: 'Server Error' }),
      new ApiError('{}', 404, '', {}),
      new ApiError('<h1>Bad gateway</h1>', 502, '', '<h1>Bad gateway</h1>'),
      body('', 'group_not_found'),
    ]) {
      expect(getErrorMessage(error, 'ours')).toEqual({ text: 'ours' })
    }
  })
})
