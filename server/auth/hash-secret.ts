import { createHash } from 'node:crypto'

/** Hashes a secret for storage and look-up, so that a database leak reveals no secret. */
export const hashSecretSha256 = (secret: string): Buffer => createHash('sha256').update(secret).digest()
