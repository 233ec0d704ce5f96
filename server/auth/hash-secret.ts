import { createHash } from 'node:crypto'

/** Hashes a secret for storage and look-up: whoever reads the database learns no secret. */
export const hashSecretSha256 = (secret: string): Buffer => createHash('sha256').update(secret).digest()
