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
import {
  beginPasskeyReauthenticationEndpoint,
  beginPasskeySignInEndpoint,
} from '#contract/generated-endpoints.ts'
import type { OperationOutput } from '#contract/operation.ts'
import { callApiOperation } from '#web/api/client.ts'

/** Milliseconds. A challenge expires after ten minutes. */
export const challengeRenewalMs = 9 * 60_000

async function askForPasskey(
  endpoint: typeof beginPasskeySignInEndpoint | typeof beginPasskeyReauthenticationEndpoint,
  inField: boolean,
  over?: AbortSignal,
): Promise<PasskeyAssertion> {
  const options = await callApiOperation(endpoint, {}, over)
  // The prompt of a late challenge would replace a newer prompt.
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
 * Opens the browser's dialog.
 * @throws see `isPromptGivenUp`
 */
export const askForSignInPasskey = (over: AbortSignal) =>
  askForPasskey(beginPasskeySignInEndpoint, false, over)

/**
 * Waits until the member chooses a passkey or another prompt replaces this one.
 * @returns null if the browser does not support it
 */
export const offerPasskeysInField = async (over: AbortSignal) =>
  (await browserSupportsWebAuthnAutofill()) ? askForPasskey(beginPasskeySignInEndpoint, true, over) : null

export const askForReauthenticationPasskey = () => askForPasskey(beginPasskeyReauthenticationEndpoint, false)

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

export const cancelPasskeyPrompt = () => WebAuthnAbortService.cancelCeremony()

/** The member closed the dialog, or another prompt replaced it. In both cases, show no error. */
export const isPromptGivenUp = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')

export const isPasskeyThereAlready = (error: unknown): boolean =>
  error instanceof Error && error.name === 'InvalidStateError'
