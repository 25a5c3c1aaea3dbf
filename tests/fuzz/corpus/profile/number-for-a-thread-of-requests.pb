
'	/host:CPU"MemoryAllocation