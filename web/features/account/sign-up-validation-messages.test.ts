import { expect, test } from 'vitest'
import { signInOperation, signUpOperation } from '#contract/account/sign-up-and-sign-in.ts'

const eva = { name: 'Eva', username: 'eva', email: 'eva@juntas.test', password: '12345678' }

const messagesFor = (form: unknown) =>
  Object.fromEntries(
    (signUpOperation.input.safeParse(form).error?.issues ?? []).map(({ path, message }) => [
      path.join('.'),
      message,
    ]),
  )

test('ERR-11 a missing or wrongly typed value gets the default messages', () => {
  expect(messagesFor({ ...eva, name: undefined })).toEqual({ name: 'Required' })
  expect(messagesFor({ ...eva, name: 5 })).toEqual({ name: 'Expected string, received number' })
  expect(messagesFor({ ...eva, email: 'eva@' })).toEqual({ email: 'Invalid email' })
})

test('SUP-05 SUP-06 SUP-07 SUP-08 each invalid field has its own message', () => {
  expect(messagesFor({ name: ' E ', username: 'e', email: 'foo', password: '1234567' })).toEqual({
    name: 'Name must be at least 2 characters.',
    username: 'Name must be at least 2 characters.',
    email: 'Invalid email',
    password: 'Password must be at least 8 characters.',
  })
  expect(messagesFor({ ...eva, name: 'Al' })).toEqual({})
})

test('SIN-10 sign-in sends the email address trimmed and in lower case, and the password as typed', () => {
  expect(signInOperation.input.parse({ email: ' Eva@Juntas.test ', password: '  spaces  ' })).toEqual({
    email: 'eva@juntas.test',
    password: '  spaces  ',
  })
})
