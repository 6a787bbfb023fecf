module.exports = { SEPARATOR: ' ', RETRIES: 3 }
