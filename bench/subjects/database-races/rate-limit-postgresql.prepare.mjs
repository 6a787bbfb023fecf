// Applies the migrations of a version, whose store does so when it is made: node FILE PACKAGE
const url = new URL(process.env.DATABASE_URL)
const { PostgresStoreIndividualIP } = await import(process.argv[2])
new PostgresStoreIndividualIP(
  { host: url.searchParams.get('host'), user: url.username, database: url.pathname.slice(1) },
  'prepared',
)
