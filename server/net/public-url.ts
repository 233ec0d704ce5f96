/** The address by which members reach this server, for links in letters. */
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

/** The address for what a request sends: from the settings, never from a header that the caller writes. */
export const getPublicUrlForRequest = (
  { socket }: FastifyRequest,
  { config: { publicUrl, port } }: { config: Config },
): string => getConfiguredPublicUrl({ publicUrl, port: socket.localPort ?? port })

/** The address for letters that no request sends. */
export const getConfiguredPublicUrl = ({ publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>): string =>
  publicUrl ?? `http://localhost:${port}`
