import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { signInOperation, signOutOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { setupBrowserWithServer } from '#tests/support/browser-globals.ts'
import {
  currentSessionApiPath,
  finishSignIn,
  getSessionStatus,
  refreshSessionStatus,
  signInApiPath,
} from './session.ts'

const at = setupBrowserWithServer()

test('sign-in and sign-out use the paths of the contract', () => {
  expect(signInOperation).toMatchObject({ method: 'POST', path: signInApiPath })
  expect(signOutOperation).toMatchObject({ method: 'DELETE', path: currentSessionApiPath })
})

test('a session check that started before sign-in and is answered afterwards does not sign ana out', async () => {
  const first = Promise.withResolvers<ServerResponse>()
  at.answer = (_, response) => first.resolve(response)
  const check = refreshSessionStatus()
  const unanswered = await first.promise
  at.answer = (_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end('{}')
  }
  await finishSignIn()
  unanswered.statusCode = 401
  unanswered.end()
  await check
  expect(getSessionStatus()).toBe('member')
})
