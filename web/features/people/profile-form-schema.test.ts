import { expect, test } from 'vitest'
import { profileFormSchema } from './profile-form-schema.ts'

const hers = { photo: null, name: 'Ana Luz', username: 'ana.luz', email: 'ana@juntas.test', bio: '' }
const problem = (change: object) =>
  profileFormSchema
    .safeParse({ ...hers, ...change })
    .error?.issues.map(({ path, message }) => [path[0], message])

test('PUPD-07 a profile is complete with or without a new photo', () => {
  expect(problem({})).toBeUndefined()
  expect(problem({ photo: new File(['x'], 'x.png') })).toBeUndefined()
})

test('PUPD-08 a name of one character is too short, even with blanks around it', () => {
  expect(problem({ name: ' A ' })).toEqual([['name', 'Name must be at least 2 characters.']])
  expect(problem({ name: 'Al' })).toBeUndefined()
})

test('PUPD-09 username and email keep their rules, and a bio can be any text', () => {
  expect(problem({ username: 'a' })).toEqual([['username', 'Name must be at least 2 characters.']])
  expect(problem({ email: 'foo' })).toEqual([['email', 'Invalid email']])
  expect(problem({ bio: 'Barro\n\n🌊 <b>mar</b>' })).toBeUndefined()
})
