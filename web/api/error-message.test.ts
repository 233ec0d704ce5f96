import { describe, expect, test } from 'vitest'
import { ApiError } from './client.ts'
import { getErrorMessage } from './error-message.ts'

describe('the message of a refusal', () => {
  const body = (message: string, type: string) => new ApiError(message, 409, type, { message, type })

  test("GRP-21 shows the server's sentence, in Spanish if it has one", () => {
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
  ])('MOD-18 %s is shown in its own language', (text, type, textLang) => {
    expect(getErrorMessage(body(text, type))).toEqual(textLang ? { text, textLang } : { text })
  })

  test('GRP-20 shows our sentence without an answer, for a masked fault or a proxy page', () => {
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
