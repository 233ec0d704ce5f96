/** WebAuthn Level 3, section 5.1.8. */
import * as z from 'zod/mini'
import { maxTextLength } from '../text-length.ts'

const bytes = (maxLength: number) => z.string().check(z.regex(/^[A-Za-z0-9_-]+$/), maxTextLength(maxLength))

/** The authenticator chooses the id, of at most 1023 bytes. */
const credentialIdSchema = bytes(1364)

/** `internal`, `hybrid`, `usb`, `nfc`, `ble` or future values. */
const transportsSchema = z.array(z.string().check(maxTextLength(32))).check(z.maxLength(8))

const credential = { id: credentialIdSchema, rawId: credentialIdSchema, type: z.literal('public-key') }

export const passkeyAttestationSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(2048),
    attestationObject: bytes(16_384),
    transports: z.optional(transportsSchema),
  }),
})

export type PasskeyAttestation = z.infer<typeof passkeyAttestationSchema>

export const passkeyAssertionSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(2048),
    authenticatorData: bytes(2048),
    signature: bytes(2048),
    userHandle: z.optional(bytes(88)),
  }),
})

export type PasskeyAssertion = z.infer<typeof passkeyAssertionSchema>

const credentialDescriptorSchema = z.object({
  type: z.literal('public-key'),
  id: z.string(),
  transports: z.array(z.string()),
})

const ceremony = {
  challenge: z.string(),
  timeout: z.number(),
}

export const passkeyCreationOptionsSchema = z.object({
  ...ceremony,
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
  /** These prevent an authenticator from creating a second passkey for the account. */
  excludeCredentials: z.array(credentialDescriptorSchema),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})

export const passkeyRequestOptionsSchema = z.object({
  ...ceremony,
  rpId: z.string(),
  /** The list is empty, because it would reveal which accounts have a passkey. */
  allowCredentials: z.array(credentialDescriptorSchema),
  userVerification: z.literal('required'),
})
