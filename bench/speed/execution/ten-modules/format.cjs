const { SEPARATOR } = require('./settings.cjs')

exports.line = (parts) => parts.map(String).join(SEPARATOR)
