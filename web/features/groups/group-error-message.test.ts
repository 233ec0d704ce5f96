import { describe, expect, test } from 'vitest'
import { ApiError } from '#web/api/client.ts'
import { getGroupErrorMessage } from './group-error-message.ts'

describe('what a refusal says', () => {
  const body = (message: string, type: string) => new ApiError(message, 409, type, { message, type })

  test('GRP-21 the server’s sentence, in Spanish where it is', () => {
    expect(
      getGroupErrorMessage(body('Ya eres miembro de este grupo', 'group_already_member'), 'ours'),
    ).toEqual({
      text: 'Ya eres miembro de este grupo',
      textLang: 'es',
    })
    expect(getGroupErrorMessage(body('Group not found', 'group_not_found'), 'ours')).toEqual({
      text: 'Group not found',
    })
  })

  test('GRP-20 ours when there is none: no answer, a masked fault, a page of a proxy', () => {
    for (const error of [
      new ApiError('Network request failed'),
      new ApiError('Server Error', 500, 'general_unknown', { message: 'Server Error' }),
      new ApiError('<h1>Bad gateway</h1>', 502, '', '<h1>Bad gateway</h1>'),
      body('', 'group_not_found'),
    ]) {
      expect(getGroupErrorMessage(error, 'ours')).toEqual({ text: 'ours' })
    }
  })
})
