const workerpool = require('workerpool-buggy')
workerpool.worker({ work: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) })
