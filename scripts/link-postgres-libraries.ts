/**
 * Ends `npm run build`. The server's user may not write among the packages, and the folder that it would copy
 * PostgreSQL to may forbid running programs, as Debian's /run does.
 */
import { linkPackagedPostgresLibraries } from '#server/database/embedded-postgres-binaries.ts'
import { projectRootPath } from './run-tool.ts'

linkPackagedPostgresLibraries(projectRootPath)
console.log('dist/ is built from these sources.')
