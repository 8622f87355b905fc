start tx_first
