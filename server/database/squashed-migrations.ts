/** Lists the migrations from before the first release. Today's first migration files replaced them (decision 0106). */

/** How many of today's migrations create the squashed schema. */
export const replacementMigrationCount = 9

/** The last commit with squashed migrations, which can complete a partial database. */
export const lastCommitBeforeSquash = '1987a41'

/** The SHA-256 of each file, in order. */
export const squashedMigrationHashes = [
  '0ebd27fbed87dd7d8f77a4e5c1991b26ef3866a72bfb2530d083d3ae3c99b45c',
  'f9cb0cab16282de59e8c16392b1a61860f24580725714ba741d077faa1ee485a',
  'fc00b8b9ccecfce5324170364ffd3ea383d910ea1ae357d7aca90ab53e33dd6d',
  'd96a3e8676738a8eeeb9533e390ea59ff57f36b0421dfd2a384c7e6e255fd7e7',
  '83a3b23cf5a0d4643b884ffdbcb0d16d077b65f421f1afe91aeb8162938a080d',
  '101a7326d9482e9f4ed0599d26f83836b07d8e8b38d41d2fe5ee09cdd14623e6',
  '29da8f66491c7562362b50d2e1f6febdd36d572214fede14c85eb8d671005a6f',
  'b40cc4837dcedfd099a6fa4ccab6db1cf0f84e9eae285222e4b4817244bc8475',
  '6eb12e7abdb5e117a009fd9c3c84bdeb522089ccb4f255b89da905c9fdebfb1e',
  '438e0de45d98a80b59345360632ad32ae4ca9d0eadab546212f4cf066224270d',
  '48885ad193419444d6da78a5c569132f94b498f6f7c92cb7ce9f2672a9efa57c',
  'f1b83bd40746efd66a8036aec3800a67871b48eca9d3ed3698dd1f43494a301e',
  '8d985e44b0a062493ad368e62094e9995894e58ab85c07b72f5c2e2eb8bf7b31',
  'e7b653fd219e3512f8ba8fbe130d697bd640d8e5d0c9356679ea586261de1903',
  '4f1e43caacbd27ee6ec3049838d7b418ca3f9a681d32d3f83cf9fafa4a03b34d',
  'dab1b270fa2a01e391c46f3fb6c07d3c7ded6b8b5443c94b64b8e6fa7fe2c690',
  '18ef342125f2bbe13a4535292a22753264ed80c957325a0ecc2d611d32b67207',
  'af0c9657cd1420c6ca0a6880e3675fe364afc403b6fcc38c01e6a7c29500de8f',
  '24d7908f9bbc177497342787ec4a2a581bd9218a16bc274c506449574ba4c54d',
  '18070e2e72195b5847191c2a6739b49a76217f89970ee947d0c15d643d7074b1',
  '0379d3073a87022f97b345e1c4cc504d17d9adb1d94c002a6d4ecd0d207373bb',
  '5d74b5e8faaca953dcbd284b837deb01828542770c40f5ad2231f45e97db63ab',
  '6c71f7d8dc6eae092662107904880b1d15e187bf8782370268e63f809da51f4e',
].map((checksum) => ({ checksum }))
