/** Lets the browser make and use passkeys. Loaded where one is wanted, with the library that speaks to authenticators. */
import {
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import type { beginPasskeyOperation } from '#contract/account/passkeys.ts'
import type { PasskeyAssertion, PasskeyAttestation } from '#contract/account/webauthn-json.ts'
import { beginPasskeyProofEndpoint, beginPasskeySignInEndpoint } from '#contract/generated-endpoints.ts'
import type { OperationOutput } from '#contract/operation.ts'
import { callApiOperation } from '#web/api/client.ts'

/** How long a challenge is asked for again before it ends. */
export const challengeRenewalMs = 9 * 60_000

async function askForPasskey(
  endpoint: typeof beginPasskeySignInEndpoint | typeof beginPasskeyProofEndpoint,
  inField: boolean,
  over?: AbortSignal,
): Promise<PasskeyAssertion> {
  const options = await callApiOperation(endpoint, {}, over)
  // A challenge that comes late would take the place of the prompt that is open by now.
  over?.throwIfAborted()
  const { id, rawId, response } = await startAuthentication({
    optionsJSON: options as PublicKeyCredentialRequestOptionsJSON,
    useBrowserAutofill: inField,
  })
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return {
    id,
    rawId,
    type: 'public-key',
    response: {
      clientDataJSON,
      authenticatorData,
      signature,
      ...(userHandle === undefined ? {} : { userHandle }),
    },
  }
}

/**
 * Asks for a passkey to sign in with, in a dialog of the browser's.
 * @param over that nobody waits for it any more
 * @throws see `isPromptGivenUp`
 */
export const askForSignInPasskey = (over: AbortSignal) =>
  askForPasskey(beginPasskeySignInEndpoint, false, over)

/**
 * Offers passkeys among the suggestions of the e-mail field, until one is chosen there or another prompt takes its place.
 * @returns null where the browser does not
 */
export const offerPasskeysInField = async (over: AbortSignal) =>
  (await browserSupportsWebAuthnAutofill()) ? askForPasskey(beginPasskeySignInEndpoint, true, over) : null

/** Asks for a passkey that proves who the member is. */
export const askForProofPasskey = () => askForPasskey(beginPasskeyProofEndpoint, false)

/** Asks the browser to make a passkey. */
export async function makePasskey(
  options: OperationOutput<typeof beginPasskeyOperation>,
): Promise<PasskeyAttestation> {
  const { id, rawId, response } = await startRegistration({
    optionsJSON: options as PublicKeyCredentialCreationOptionsJSON,
  })
  const { clientDataJSON, attestationObject, transports } = response
  return {
    id,
    rawId,
    type: 'public-key',
    response: { clientDataJSON, attestationObject, ...(transports ? { transports } : {}) },
  }
}

/** Takes back what was asked of the browser. */
export const cancelPasskeyPrompt = () => WebAuthnAbortService.cancelCeremony()

/** Whether the member closed the browser's dialog, or another prompt took its place: nothing to be told of. */
export const isPromptGivenUp = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')

/** Whether the authenticator has a passkey of the account already. */
export const isPasskeyThereAlready = (error: unknown): boolean =>
  error instanceof Error && error.name === 'InvalidStateError'
